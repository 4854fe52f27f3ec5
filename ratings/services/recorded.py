"""A queue's whole ledger in hand: every chain, every match with its forecast, and what is taken back."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from uuid import UUID

from django.db.models.fields.json import KeyTransform

from ratings.core.chains import Act, Chain, Place, Played, Recorded, formed_after
from ratings.core.decay import PLAIN_DAYS
from ratings.core.periods import MATCH
from ratings.core.priors import Signal, Source
from ratings.core.rank_rules import DEFAULT_RULES
from ratings.core.rating_match import Account
from ratings.core.recompute import Walk
from ratings.core.scales import BeliefModel
from ratings.core.types import Belief, Engine
from ratings.core.visible_rank import RankState
from ratings.models import Forecast, PlayerRating, RatingEvent, RatingModel
from ratings.selectors.calendars import calendars_of_seasons
from ratings.selectors.models import belief_model
from ratings.selectors.recorded_matches import RecordedMatch, recorded_matches
from ratings.selectors.rules import rank_rules_of_seasons
from ratings.services.books import Book
from ratings.services.match_events import Snapshot, snapshots

REFUND, RECOMPUTE = "refund", "recompute"  # the two modes in which a match is taken back
_AT_ONCE = 2_000
_COLUMNS = (
    "id",
    "player_rating_id",
    "kind",
    "match_id",
    "undoes_id",
    "rating_model_id",
    "rating_after",
    "deviation_after",
    "volatility_after",
    "position_after",
    "state_after",
    "created_at",
)
_TOLD = {
    "source": KeyTransform("source", "explanation"),
    "rating_delta": KeyTransform("rating_delta", "explanation"),
    "signals": KeyTransform("signals", "explanation"),
    "mode": KeyTransform("mode", "explanation"),
}
_ACTS = {
    "match": Act.MATCH,
    "correction": Act.CORRECTION,
    "decay": Act.DECAY,
    "model_change": Act.MODEL_CHANGE,
    "recompute": Act.TRACE,
}


@dataclass(slots=True)
class Undoing:
    """What was done to one match's event: where it stands, and the events that took it back and reinstated it."""

    place: Place
    by: list[tuple[UUID, str]] = field(default_factory=list)  # ids and modes, in the order of the chain

    @property
    def mode(self) -> str | None:
        """In which mode it is taken back now; None if it counts."""
        return self.by[-1][1] if len(self.by) % 2 else None


@dataclass(slots=True)
class Ledger:
    """The chains of a queue by rating, their books, the rated matches, and by match what was done to its events."""

    queue_id: UUID
    books: dict[UUID, Book]
    chains: dict[UUID, Chain]
    matches: dict[UUID, Played]
    events: dict[UUID, list[Undoing]]
    ids: dict[Place, UUID]
    first_engine: Engine | None

    def mode_of(self, match_id: UUID) -> str | None:
        """In which mode the match is taken back now; None if it counts."""
        return self.events[match_id][0].mode

    def left_out(self) -> set[UUID]:
        """The matches that a recompute took back."""
        return {key for key in self.events if self.mode_of(key) == RECOMPUTE}

    def walk(self, left_out: set[UUID], *, trusting: bool = True) -> Mapping[UUID, list[Account]]:
        """The accounts of every rating without these matches; see `ratings.core.recompute.Walk`."""
        return Walk(self.chains, self.matches, left_out, self.first_engine, trusting).run()


def load(queue_id: UUID, *, lock: bool, only: Sequence[UUID] | None = None) -> Ledger:
    """Read it all, with the ratings locked in the order of their ids if it is to be written to.

    only: read no more than the ratings of those who played these matches, and these matches; not to be walked.
    About ten queries whatever the queue's size, and one more for each five thousand matches. A queue of 10,000
    matches is read in some three seconds and walked in two; memory grows with events.
    """
    rows = PlayerRating.objects.filter(queue_id=queue_id, role="").order_by("id")
    if only is not None:
        rows = rows.filter(pk__in=RatingEvent.objects.filter(match__in=only, kind="match").values("player_rating"))
    ratings = list(rows.select_for_update(no_key=True) if lock else rows)
    # After the lock: what we waited for may have put another model in force.
    models = {row.pk: belief_model(row) for row in RatingModel.objects.filter(queue_id=queue_id)}
    books = {row.pk: Book.of(row, models[row.rating_model_id]) for row in ratings}
    seasons = {book.season_id for book in books.values()}
    rules = rank_rules_of_seasons(queue_id=queue_id, season_ids=seasons)
    chains = {
        key: Chain(key, book.player_id, book.season_id, rules.get(book.season_id, DEFAULT_RULES), book.account)
        for key, book in books.items()
    }
    first = next((model.engine for model in models.values() if model.engine.wants_first_games), None)
    ledger = Ledger(queue_id, books, chains, {}, {}, {}, first)
    _read_events(ledger, models)
    _read_matches(ledger, [key for key in ledger.events if only is None or key in only])
    return ledger


def _read_events(ledger: Ledger, models: Mapping[UUID, BeliefModel]) -> None:
    rows = RatingEvent.objects.filter(player_rating__in=list(ledger.chains)).order_by("player_rating_id", "seq")
    named = rows.annotate(**_TOLD).values(*_COLUMNS, *_TOLD)
    places: dict[UUID, Place] = {}
    for told in named.iterator(_AT_ONCE):
        chain = ledger.chains[told["player_rating_id"]]
        account = _account(ledger.books[chain.rating_id].account, models, told)
        if not chain.events:
            chain.start = account
        place = (chain.rating_id, len(chain.events) + 1)
        places[told["id"]], ledger.ids[place] = place, told["id"]
        chain.events.append(_recorded(told, place, account, places))
        if told["kind"] == "match":
            ledger.events.setdefault(told["match_id"], []).append(Undoing(place))
        elif told["undoes_id"] and told["match_id"]:
            undone = next(one for one in ledger.events[told["match_id"]] if one.place[0] == chain.rating_id)
            undone.by.append((told["id"], told["mode"]))


def _recorded(told: Mapping[str, Any], place: Place, account: Account, places: Mapping[UUID, Place]) -> Recorded:
    """An event as the walk takes it; the first of a chain opens the rating, whatever its kind."""
    act = Act.OPEN if place[1] == 1 else _ACTS.get(told["kind"], Act.OTHER)
    if told["undoes_id"]:
        act = Act.UNDO if told["mode"] == REFUND else Act.TRACE
    return Recorded(
        id=told["id"],
        act=act,
        after=account,
        at=told["created_at"],
        match_id=told["match_id"],
        delta=float(told["rating_delta"] or 0.0),
        undoes=places[told["undoes_id"]][1] if told["undoes_id"] else None,
        signals=_signals(told["signals"]),
        carries=told["source"] in ("earlier_season", "scale"),
    )


def _signals(told: list[Mapping[str, Any]] | None) -> tuple[Signal, ...] | None:
    if told is None:
        return None
    return tuple(Signal(Source(one["source"]), float(one["mean"]), float(one["deviation"])) for one in told)


def _account(now: Account, models: Mapping[UUID, BeliefModel], told: Mapping[str, Any]) -> Account:
    """The account after an event; `now` is where the rating stands at last."""
    state, top = told["state_after"], told["state_after"].get("top_rating")
    return Account(
        model=models.get(told["rating_model_id"], now.model),
        belief=Belief(told["rating_after"], told["deviation_after"], told["volatility_after"]),
        rank=RankState(
            told["position_after"],
            state["placement_left"],
            state["shield"],
            state["losses_at_zero"],
            state.get("start_position"),
        ),
        created_at=now.created_at,
        games=state["games"],
        wins=state["wins"],
        draws=state["draws"],
        losses=state["losses"],
        peak=state["peak_position"],
        reached_at=_time(state["position_reached_at"]),
        last_match_at=_time(state["last_match_at"]),
        top=None if top is None else float(top),
        earlier_games=state.get("earlier_games", now.earlier_games),
        banked_days=state.get("banked_days", 0),
        decayed_to=date.fromisoformat(state["decayed_to"]) if state.get("decayed_to") else None,
    )


def _time(told: str | None) -> datetime | None:
    return None if told is None else datetime.fromisoformat(told)


def _read_matches(ledger: Ledger, keys: Sequence[UUID]) -> None:
    """These matches, with how far each chain was when its forecast was made."""
    played, recorded = recorded_matches(keys), snapshots(keys)
    forecasts = dict(Forecast.objects.filter(match_id__in=keys).values_list("match_id", "id"))
    by_player = {(chain.player_id, chain.season_id): chain for chain in ledger.chains.values()}
    fading = {chain.season_id for chain in ledger.chains.values() if chain.rules.fades}
    calendars = calendars_of_seasons(queue_id=ledger.queue_id, season_ids=fading)
    written = {key: [event.id for event in chain.events] for key, chain in ledger.chains.items()}
    for key in keys:
        one, snapshot = played[key], recorded[key]
        _mark_period(ledger, key, one, snapshot)
        numbers = {undoing.place[0]: undoing.place[1] for undoing in ledger.events[key]}
        at_formation = {}
        for player, formed in snapshot.formed.items():
            chain = by_player[player, one.season_id]
            hint = bisect_left(written[chain.rating_id], forecasts[key])
            last = numbers[chain.rating_id] - 1
            at_formation[player] = formed_after(chain, snapshot.model.engine, formed, hint, last)
        ledger.matches[key] = Played(
            match_id=key,
            season_id=one.season_id,
            model=snapshot.model,
            formed_at=snapshot.formed_at,
            completed_at=one.completed_at,
            teams=one.teams,
            ranks=one.ranks,
            rules=by_player[one.teams[0][0], one.season_id].rules,
            facts=one.facts,
            ends_at=one.period_ends_at,
            at_formation=at_formation,
            calendar=calendars.get(one.season_id, PLAIN_DAYS),
        )


def _mark_period(ledger: Ledger, match_id: UUID, one: RecordedMatch, snapshot: Snapshot) -> None:
    """Events of one rating period that were written together are done together again."""
    if snapshot.model.period != MATCH:
        for undoing in ledger.events[match_id]:
            event = ledger.chains[undoing.place[0]].events[undoing.place[1] - 1]
            event.period = (event.at, one.season_id, one.period_ends_at, snapshot.model.id)
