"""The games of players who have no first rating yet, for a model that makes one of several games together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from ratings.core.rating_match import result_of
from ratings.core.rating_periods import first_games_of
from ratings.core.scales import BeliefModel
from ratings.core.types import Engine, PeriodGame
from ratings.core.visible_rank import Result
from ratings.models import RatingEvent
from ratings.selectors.replay_history import taken_back
from ratings.services.books import Book
from ratings.services.match_events import Snapshot, snapshots
from ratings.services.outcomes import MatchOutcome


@dataclass(slots=True)
class FirstGames:
    """By player, the rated games so far, the earlier first; nothing where no model of the queue asks for them."""

    engine: Engine | None
    of: dict[UUID, tuple[PeriodGame, ...]] = field(default_factory=dict)

    @classmethod
    def load(cls, models: Iterable[BeliefModel], books: Sequence[Book]) -> "FirstGames":
        """Of the players of these books who have too few for a first rating, from whatever season of the queue.

        Two queries; none where nobody is so new or no model makes first ratings.
        """
        engine = next((model.engine for model in models if model.engine.wants_first_games), None)
        found = cls(engine)
        new = [book for book in books if engine and 0 < book.account.experience < engine.wants_first_games]
        if new:
            found._read(new[0].queue_id, {book.player_id for book in new})
        return found

    def note(self, outcome: MatchOutcome, snapshot: Snapshot) -> None:
        """A match that was rated now."""
        if self.engine is None or (outcome.facts.teams_that_played or 2) < 2:
            return
        for index, team in enumerate(outcome.teams):
            for player in team:
                self._add(self.engine, player, snapshot, result_of(outcome.ranks, index))

    def _read(self, queue_id: UUID, players: set[UUID]) -> None:
        assert self.engine is not None
        events = RatingEvent.objects.filter(
            kind=RatingEvent.Kind.MATCH,
            player_rating__queue=queue_id,
            player_rating__role="",
            player_rating__player__in=players,
        ).exclude(match__in=taken_back(queue_id).matches)
        rows = events.order_by("created_at", "seq").values_list("player_rating__player_id", "match_id", "explanation")
        played = [(player, match, told) for player, match, told in rows if match and not told.get("did_not_play")]
        recorded: Mapping[UUID, Snapshot] = snapshots(match for _, match, _ in played)
        for player, match, told in played:
            self._add(self.engine, player, recorded[match], Result(told["result"]))

    def _add(self, engine: Engine, player: UUID, snapshot: Snapshot, result: Result) -> None:
        """One game against each opponent, as they were believed when it was formed."""
        so_far = self.of.get(player, ())
        if len(so_far) < engine.wants_first_games:
            side = snapshot.teams[player]
            others = [one.belief for other, one in snapshot.formed.items() if snapshot.teams[other] != side]
            self.of[player] = (*so_far, *first_games_of(engine, snapshot.model.engine, others, result))
