"""A PlayerRating in hand: its account as plain values, and the end of its chain of events."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from ratings.core.ledger import Entry, canonical, digest, moment, stamp, took_effect
from ratings.core.rank_rules import RankRules
from ratings.core.rating_match import Account
from ratings.core.scales import BeliefModel
from ratings.core.types import Belief
from ratings.core.visible_rank import RankState, label
from ratings.ids import new_id
from ratings.models import PlayerRating, RatingModel
from ratings.selectors.models import belief_model

CHANGING_COLUMNS = (
    "rating_model_id",
    "rating",
    "deviation",
    "volatility",
    "top_rating",
    "games",
    "wins",
    "draws",
    "losses",
    "position",
    "tier",
    "division",
    "points",
    "peak_position",
    "position_reached_at",
    "placement_left",
    "start_position",
    "shield",
    "losses_at_zero",
    "banked_days",
    "decayed_to",
    "last_match_at",
    "last_seq",
    "last_hash",
)


_COPIED = (
    "seq",
    "kind",
    "reason",
    "rating_before",
    "rating_after",
    "deviation_before",
    "deviation_after",
    "volatility_before",
    "volatility_after",
    "position_before",
    "position_after",
    "points_delta",
)  # what an event's row says in the same words as its entry


@dataclass(slots=True)
class Book:
    """Keys, account and chain end of one rating. `words`: tier, division and points of the position."""

    id: UUID
    player_id: UUID
    queue_id: UUID
    season_id: UUID
    account: Account
    words: tuple[int | None, int | None, int | None] = (None, None, None)
    last_seq: int = 0
    last_hash: str = ""

    @classmethod
    def of(cls, row: PlayerRating, model: BeliefModel | None = None) -> "Book":
        """The book of a stored rating; `model` for a caller that has the one it stands on in hand."""
        return cls(
            id=row.id,
            player_id=row.player_id,
            queue_id=row.queue_id,
            season_id=row.season_id,
            account=account_of(row, model),
            words=(row.tier, row.division, row.points),
            last_seq=row.last_seq,
            last_hash=row.last_hash,
        )

    def append(
        self,
        kind: str,
        after: Account,
        explanation: Mapping[str, Any],
        *,
        now: datetime,
        rules: RankRules | None = None,
        match_id: UUID | None = None,
        undoes_id: UUID | None = None,
        actor_id: UUID | None = None,
        reason: str = "",
        decay_date: date | None = None,
    ) -> dict[str, Any]:
        """Move the account on by one event; returns the event's row for `bulk`. `rules` when the rank may move.

        The event names the model on whose scale it leaves the account. decay_date: the day that a decay is for.
        """
        if rules is not None:
            self.words = _words(rules, after.rank.position)
        keys = {"match": match_id, "undoes": undoes_id, "rating_model": after.model.id, "actor": actor_id}
        entry = self._entry(kind, after, explanation, keys, reason, now)
        state_text, explanation_text = canonical(entry.state_after), canonical(explanation)
        text = entry.canonical(state_text, explanation_text)
        row: dict[str, Any] = {
            "id": new_id(),
            "player_rating_id": self.id,
            **{f"{name}_id": key for name, key in keys.items()},
            **{name: getattr(entry, name) for name in _COPIED},
            "state_after": state_text,
            "explanation": explanation_text,
            "canonical": text,
            "previous_hash": self.last_hash,
            "hash": digest(self.last_hash, text),
            "decay_date": decay_date,
            "created_at": now,
            "effective_at": took_effect(
                kind,
                written=now,
                opened=after.created_at,
                last_match=after.last_match_at,
                told=explanation,
            ),
        }
        self.account, self.last_seq, self.last_hash = after, entry.seq, row["hash"]
        return row

    def _entry(
        self,
        kind: str,
        after: Account,
        explanation: Mapping[str, Any],
        keys: Mapping[str, UUID | None],
        reason: str,
        now: datetime,
    ) -> Entry:
        """The next event in the form that is hashed."""
        before, told = self.account, {name: _text(key) for name, key in keys.items()}
        return Entry(
            player=str(self.player_id),
            queue=str(self.queue_id),
            season=str(self.season_id),
            role="",
            seq=self.last_seq + 1,
            kind=kind,
            **told,
            reason=reason,
            rating_before=before.belief.rating,
            rating_after=after.belief.rating,
            deviation_before=before.belief.deviation,
            deviation_after=after.belief.deviation,
            volatility_before=before.belief.volatility,
            volatility_after=after.belief.volatility,
            position_before=before.rank.position,
            position_after=after.rank.position,
            points_delta=_difference(before.rank.position, after.rank.position),
            created_at=moment(now),
            state_after=state_of(after, self.words),
            explanation=explanation,
        )

    def changing_values(self) -> dict[str, Any]:
        """The row's id and every column that an event may change."""
        account = self.account
        tier, division, points = self.words
        return {
            "id": self.id,
            "rating_model_id": account.model.id,
            "rating": account.belief.rating,
            "deviation": account.belief.deviation,
            "volatility": account.belief.volatility,
            "top_rating": account.top,
            "games": account.games,
            "wins": account.wins,
            "draws": account.draws,
            "losses": account.losses,
            "position": account.rank.position,
            "tier": tier,
            "division": division,
            "points": points,
            "peak_position": account.peak,
            "position_reached_at": account.reached_at,
            "placement_left": account.rank.placement_left,
            "start_position": account.rank.start,
            "shield": account.rank.shield,
            "losses_at_zero": account.rank.losses_at_zero,
            "banked_days": account.banked_days,
            "decayed_to": account.decayed_to,
            "last_match_at": account.last_match_at,
            "last_seq": self.last_seq,
            "last_hash": self.last_hash,
        }

    def all_values(self) -> dict[str, Any]:
        """Every column, for a row that does not exist yet."""
        return {
            **self.changing_values(),
            "player_id": self.player_id,
            "queue_id": self.queue_id,
            "season_id": self.season_id,
            "role": "",
            "earlier_games": self.account.earlier_games,
            "created_at": self.account.created_at,
        }


def books_of(locked: Iterable[PlayerRating]) -> list[Book]:
    """The books of ratings that are being locked, in their order; two queries.

    The models are read after the lock: the one that a rating stands on may have come into force while we waited for it.
    """
    rows = list(locked)
    stored = RatingModel.objects.in_bulk({row.rating_model_id for row in rows})
    models = {key: belief_model(model) for key, model in stored.items()}
    return [Book.of(row, models[row.rating_model_id]) for row in rows]


def account_of(row: PlayerRating, model: BeliefModel | None = None) -> Account:
    """A stored rating as plain values; no query if `model` is given or `rating_model` was fetched with the row."""
    return Account(
        model=model or belief_model(row.rating_model),
        belief=Belief(row.rating, row.deviation, row.volatility),
        rank=RankState(row.position, row.placement_left, row.shield, row.losses_at_zero, row.start_position),
        created_at=row.created_at,
        games=row.games,
        wins=row.wins,
        draws=row.draws,
        losses=row.losses,
        peak=row.peak_position,
        reached_at=row.position_reached_at,
        last_match_at=row.last_match_at,
        top=row.top_rating,
        earlier_games=row.earlier_games,
        banked_days=row.banked_days,
        decayed_to=row.decayed_to,
    )


def state_of(account: Account, words: tuple[int | None, int | None, int | None]) -> dict[str, Any]:
    """What an event stores of the counters after it, so that the row can be rebuilt from its last event."""
    return {
        "games": account.games,
        "wins": account.wins,
        "draws": account.draws,
        "losses": account.losses,
        "tier": words[0],
        "division": words[1],
        "points": words[2],
        "peak_position": account.peak,
        "position_reached_at": stamp(account.reached_at),
        "placement_left": account.rank.placement_left,
        "shield": account.rank.shield,
        "losses_at_zero": account.rank.losses_at_zero,
        "start_position": account.rank.start,
        "banked_days": account.banked_days,
        "decayed_to": None if account.decayed_to is None else account.decayed_to.isoformat(),
        "last_match_at": stamp(account.last_match_at),
        "top_rating": account.top,
        "earlier_games": account.earlier_games,
    }


def _words(rules: RankRules, position: int | None) -> tuple[int | None, int | None, int | None]:
    if position is None:
        return None, None, None
    named = label(rules, position)
    return named.tier, named.division, named.points


def _difference(before: int | None, after: int | None) -> int | None:
    return None if before is None or after is None else after - before


def _text(key: UUID | None) -> str | None:
    return None if key is None else str(key)
