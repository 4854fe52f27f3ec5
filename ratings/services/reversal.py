"""Rated matches are taken back, and reinstated: new events alone, never an edit.

Two modes. **refund** gives back to everybody in a match the exact opposite of what it did to them, and touches nobody
else. **recompute** brings every rating of the queue to where it would stand had the matches never been: the match's own
players get a `reversal` event for each, whoever met them later a `recompute` event. Reinstating undoes the events of
either, by the same arithmetic: after it the ledger is that of a queue in which nothing was taken back.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from ratings.core.chains import Act, Chain, Place, Recorded
from ratings.core.ledger import stamp
from ratings.core.rank_rules import RankRules
from ratings.core.rating_match import Account
from ratings.core.undo import fold
from ratings.core.visible_rank import label
from ratings.errors import DomainError, NotFound
from ratings.ids import new_id
from ratings.models import PlayerRating, RatingEvent
from ratings.services.books import CHANGING_COLUMNS
from ratings.services.bulk import copy_rows, update_rows
from ratings.services.recorded import RECOMPUTE, REFUND, Ledger, load

__all__ = ["RECOMPUTE", "REFUND", "Mode", "Reversal", "Shift", "preview", "preview_reinstating", "reinstate", "reverse"]

Mode = Literal["refund", "recompute"]
Kind = RatingEvent.Kind
BATCH = 1000  # rows updated by one statement
MOST_REASON = 300
COLUMNS = (*CHANGING_COLUMNS, "earlier_games")


@dataclass(frozen=True, slots=True)
class Shift:
    """What taking back or reinstating does to one rating. club ratings are for the staff alone.

    rank_before, rank_after: in words, None during placement; points: between the two, None where either is missing.
    """

    player_id: UUID
    season_id: UUID
    in_match: bool
    position_before: int | None
    position_after: int | None
    rank_before: str | None
    rank_after: str | None
    club_before: float
    club_after: float
    games_before: int
    games_after: int

    @property
    def points(self) -> int | None:
        """How far the visible rank moves."""
        if self.position_before is None or self.position_after is None:
            return None
        return self.position_after - self.position_before


@dataclass(frozen=True, slots=True)
class Reversal:
    """What was done, or would be: the matches that change their state, and everybody who moves by it."""

    matches: tuple[UUID, ...]
    shifts: tuple[Shift, ...]


@dataclass(slots=True)
class _Draft:
    """An event to write."""

    rating_id: UUID
    kind: Kind
    after: Account
    told: dict[str, Any]
    match_id: UUID | None = None
    undoes: UUID | None = None


@dataclass(slots=True)
class _Plan:
    """The matches in question with the mode of each, and the events that follow."""

    ledger: Ledger
    undoing: bool
    now: datetime
    modes: dict[UUID, str]
    drafts: list[_Draft] = field(default_factory=list)


def reverse(
    *, queue_id: UUID, match_ids: Sequence[UUID], mode: Mode, reason: str, actor: UUID, now: datetime
) -> Reversal:
    """Take matches of one queue back; those that are taken back already, in either mode, are passed over.

    One transaction, or the caller's, with the ratings locked in the order of their ids: for a refund those of the
    players, for a recompute all of the queue, which then waits for it (some five seconds for 10,000 matches).
    Raises DomainError ("no_reason", "not_rated") and NotFound for matches of no rating here; nothing is changed then.
    """
    return _carry_out(queue_id, match_ids, mode, reason, actor, now)


def reinstate(*, queue_id: UUID, match_ids: Sequence[UUID], reason: str, actor: UUID, now: datetime) -> Reversal:
    """Let matches count again that were taken back; those that count are passed over.

    A match that was recomputed away is played again in its place, so that every number is as if it had never been
    away. What was refunded is taken once more, to the last bit where nothing but refunds lies between.
    Transaction and errors as those of `reverse`.
    """
    return _carry_out(queue_id, match_ids, None, reason, actor, now)


def preview(*, queue_id: UUID, match_ids: Sequence[UUID], mode: Mode, now: datetime) -> Reversal:
    """What `reverse` would do; nothing is written or locked."""
    return _told(_plan(_load(queue_id, match_ids, mode, lock=False), match_ids, mode, now))


def preview_reinstating(*, queue_id: UUID, match_ids: Sequence[UUID], now: datetime) -> Reversal:
    """What `reinstate` would do; nothing is written or locked."""
    return _told(_plan(load(queue_id, lock=False), match_ids, None, now))


def _carry_out(
    queue_id: UUID, match_ids: Sequence[UUID], mode: Mode | None, reason: str, actor: UUID, now: datetime
) -> Reversal:
    if not reason.strip():
        raise DomainError("no_reason", _("Taking a match back, or reinstating it, needs a reason."))
    with transaction.atomic():
        plan = _plan(_load(queue_id, match_ids, mode, lock=True), match_ids, mode, now)
        told = _told(plan)
        _write(plan, reason.strip()[:MOST_REASON], actor)
    return told


def _load(queue_id: UUID, match_ids: Sequence[UUID], mode: Mode | None, *, lock: bool) -> Ledger:
    """What is needed: for a refund those who played, else the whole queue."""
    return load(queue_id, lock=lock, only=match_ids if mode == REFUND else None)


def _plan(ledger: Ledger, match_ids: Sequence[UUID], mode: Mode | None, now: datetime) -> _Plan:
    """The events that bring it about. mode: None to reinstate."""
    wanted = list(dict.fromkeys(match_ids))
    if any(key not in ledger.events for key in wanted):
        raise NotFound("not_rated", _("A match that moved no rating here cannot be taken back."))
    if mode is None:
        modes = {key: told for key in wanted if (told := ledger.mode_of(key)) is not None}
    else:
        modes = {key: str(mode) for key in wanted if ledger.mode_of(key) is None}
    plan = _Plan(ledger, mode is not None, now, modes)
    _plan_refunds(plan)
    _plan_recompute(plan)
    return plan


def _plan_refunds(plan: _Plan) -> None:
    """Opposites, each on top of what stands; the chains in hand grow by them, so that the next sees them."""
    ledger = plan.ledger
    for key, place in _places(plan, REFUND):
        chain = ledger.chains[place[0]]
        undoes = _tip(ledger, place, key)
        number = next(index for index, event in enumerate(chain.events, 1) if event.id == undoes)
        before = chain.account(len(chain.events))
        event = Recorded(new_id(), Act.UNDO, before, plan.now, match_id=key, undoes=number)
        chain.events.append(event)
        event.after = _given_back(ledger, chain)
        kind = Kind.REFUND if plan.undoing else Kind.REVERSAL
        told = _facts(plan, place, key, REFUND)
        plan.drafts.append(_Draft(place[0], kind, event.after, told, key, undoes))


def _given_back(ledger: Ledger, chain: Chain) -> Account:
    """The account after the last event of a chain, which gives back.

    Its run is reckoned from where the chain was last recomputed. If it takes back what was given back before that, the
    walk tells: what is recorded from before is not what stands now.
    """
    base, run = chain.run(len(chain.events))
    traced = chain.last_trace()
    if traced > base and any(one.event == run[-1].undoes and one.event < traced for one in run):
        return ledger.walk(ledger.left_out())[chain.rating_id][-1]
    return fold(chain.account(max(base, traced)), [one for one in run if one.event > traced])


def _plan_recompute(plan: _Plan) -> None:
    """The walk without the matches, and for every rating that stands elsewhere after it the events that bring it there.

    Of several matches of one rating each event takes back its own count; the last one moves rating and rank.
    """
    ledger, keys = plan.ledger, {key for key, mode in plan.modes.items() if mode == RECOMPUTE}
    if not keys:
        return
    left_out = ledger.left_out() | keys if plan.undoing else ledger.left_out() - keys
    accounts = ledger.walk(left_out)
    own: dict[UUID, list[tuple[UUID, Place]]] = {}
    for key, place in _places(plan, RECOMPUTE):
        own.setdefault(place[0], []).append((key, place))
    for rating_id, chain in ledger.chains.items():
        account, final = chain.account(len(chain.events)), accounts[rating_id][-1]
        mine = own.get(rating_id, [])
        for left, (key, place) in zip(range(len(mine) - 1, -1, -1), mine, strict=True):
            event, before = chain.events[place[1] - 1], chain.account(place[1] - 1)
            account = final if left == 0 else _counted(account, event, before, undoing=plan.undoing)
            told = _facts(plan, place, key, RECOMPUTE) | {"matches": len(mine), "moves": left == 0}
            plan.drafts.append(_Draft(rating_id, Kind.REVERSAL, account, told, key, _tip(ledger, place, key)))
        if not mine and final != account:
            told = {"kind": Kind.RECOMPUTE.value, "reinstated": not plan.undoing, "matches": len(keys)}
            plan.drafts.append(_Draft(rating_id, Kind.RECOMPUTE, final, told))


def _places(plan: _Plan, mode: str) -> list[tuple[UUID, Place]]:
    """The events of the matches that are handled in this mode, in the order of their chains."""
    found = [
        (key, undoing.place) for key, told in plan.modes.items() if told == mode for undoing in plan.ledger.events[key]
    ]
    return sorted(found, key=lambda one: one[1])


def _tip(ledger: Ledger, place: Place, match_id: UUID) -> UUID:
    """The event to undo: the match's own, or the last one that undid or reinstated it."""
    undoing = next(one for one in ledger.events[match_id] if one.place == place)
    return undoing.by[-1][0] if undoing.by else ledger.ids[place]


def _counted(account: Account, event: Recorded, before: Account, *, undoing: bool) -> Account:
    """The account with one match's count taken away, or given back."""
    sign = -1 if undoing else 1
    return replace(
        account,
        games=account.games + sign * (event.after.games - before.games),
        wins=account.wins + sign * (event.after.wins - before.wins),
        draws=account.draws + sign * (event.after.draws - before.draws),
        losses=account.losses + sign * (event.after.losses - before.losses),
    )


def _facts(plan: _Plan, place: Place, match_id: UUID, mode: str) -> dict[str, Any]:
    """What an event says of the match that it takes back or reinstates, as its player saw it."""
    chain = plan.ledger.chains[place[0]]
    before, after = chain.account(place[1] - 1), chain.account(place[1])
    won, lost, drawn = after.wins - before.wins, after.losses - before.losses, after.draws - before.draws
    return {
        "kind": (Kind.REFUND if mode == REFUND and plan.undoing else Kind.REVERSAL).value,
        "mode": mode,
        "reinstated": not plan.undoing,
        "result": "win" if won else "loss" if lost else "draw" if drawn else "",
        "completed_at": stamp(plan.ledger.matches[match_id].completed_at),
        "matches": 1,
        "moves": True,
    }


def _write(plan: _Plan, reason: str, actor: UUID) -> None:
    if not plan.drafts:
        return
    rows, changed = [], {}
    for draft in plan.drafts:
        book, rules = plan.ledger.books[draft.rating_id], plan.ledger.chains[draft.rating_id].rules
        told = draft.told | {
            "rank": {"before": _words(rules, book.account), "after": _words(rules, draft.after)},
            "club_before": _club(book.account),
            "club_after": _club(draft.after),
        }
        row = book.append(
            draft.kind.value,
            draft.after,
            told,
            now=plan.now,
            rules=rules,
            match_id=draft.match_id,
            undoes_id=draft.undoes,
            actor_id=actor,
            reason=reason,
        )
        rows.append(row)
        changed[book.id] = book
    copy_rows(RatingEvent, rows)
    values = [book.changing_values() | {"earlier_games": book.account.earlier_games} for book in changed.values()]
    for start in range(0, len(values), BATCH):
        update_rows(PlayerRating, COLUMNS, values[start : start + BATCH])


def _words(rules: RankRules, account: Account) -> dict[str, object] | None:
    position = account.rank.position
    return None if position is None else dict(label(rules, position).as_dict())


def _club(account: Account) -> float:
    return account.model.engine.to_club(account.belief).rating


def _told(plan: _Plan) -> Reversal:
    """The plan, rating by rating, in the order of the players' ids."""
    own = {undoing.place[0] for key in plan.modes for undoing in plan.ledger.events[key]}
    finals = {draft.rating_id: draft.after for draft in plan.drafts}
    shifts = [_shift(plan.ledger, rating_id, after, rating_id in own) for rating_id, after in finals.items()]
    return Reversal(tuple(plan.modes), tuple(sorted(shifts, key=lambda one: (one.player_id, one.season_id))))


def _shift(ledger: Ledger, rating_id: UUID, after: Account, in_match: bool) -> Shift:
    book, rules = ledger.books[rating_id], ledger.chains[rating_id].rules
    before = book.account
    positions = before.rank.position, after.rank.position
    words = [None if one is None else str(label(rules, one)) for one in positions]
    return Shift(
        player_id=book.player_id,
        season_id=book.season_id,
        in_match=in_match,
        position_before=positions[0],
        position_after=positions[1],
        rank_before=words[0],
        rank_after=words[1],
        club_before=_club(before),
        club_after=_club(after),
        games_before=before.games,
        games_after=after.games,
    )
