"""The exact opposite of what an event did, carried to whatever stands now.

Events that give back are kept in runs: those that follow one another in a chain with nothing between. A run is reckoned
from where it began, without the pairs that cancel, so that taking back any of them in any order leaves every number as
if those had never been.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from ratings.core.ledger import carried_over
from ratings.core.rating_match import Account, highest
from ratings.core.scales import moved, same_scale


@dataclass(frozen=True, slots=True)
class Undo:
    """An event that gives back what another one did.

    event, undoes: their numbers in the chain. before, after: the account around the event that is undone, as recorded.
    at: when it was written.
    """

    event: int
    undoes: int
    before: Account
    after: Account
    at: datetime


def stands_as(one: Account, other: Account) -> bool:
    """Whether nothing that events move differs between the two."""
    return replace(one, earlier_games=other.earlier_games) == other


def opposite(account: Account, undo: Undo) -> Account:
    """The account without what the undone event did to it.

    Nothing happened since: the account from before the event, to the last bit. Otherwise the rating goes back by the
    difference, deviation and volatility by their ratio (by way of the club scale where the model changed since), points
    by as many as were given or taken but never below the lowest rank, counts by one match and free days by those it
    earned. A rank that placement found and later matches moved stays. The highest rank and rating stay unless this
    event alone reached them.
    """
    before, after = undo.before, undo.after
    if stands_as(account, after):
        return replace(before, earlier_games=account.earlier_games)
    engine, own = after.model.engine, account.model.engine
    was = moved(before.belief, before.model.engine, engine)
    belief = carried_over(engine, own, account.belief, after.belief, was)
    position = account.rank.position
    if position is not None and before.rank.position is not None and after.rank.position is not None:
        position = max(position - (after.rank.position - before.rank.position), 0)
    placing = account.rank.placement_left + before.rank.placement_left - after.rank.placement_left
    rank = replace(account.rank, position=position, placement_left=max(placing, 0) if position is None else 0)
    top = None if account.top is None else highest(_top(account, undo), belief, account.model, belief, account.model)
    return replace(
        account,
        belief=belief,
        rank=rank,
        games=max(account.games + before.games - after.games, 0),
        wins=max(account.wins + before.wins - after.wins, 0),
        draws=max(account.draws + before.draws - after.draws, 0),
        losses=max(account.losses + before.losses - after.losses, 0),
        peak=_peak(account, undo, position),
        reached_at=account.reached_at if position == account.rank.position else undo.at,
        last_match_at=before.last_match_at if account.last_match_at == after.last_match_at else account.last_match_at,
        top=top,
        banked_days=max(account.banked_days + before.banked_days - after.banked_days, 0),
        decayed_to=before.decayed_to if account.decayed_to == after.decayed_to else account.decayed_to,
    )


def _top(account: Account, undo: Undo) -> float | None:
    """The highest rating without the event, where it was this one that reached it."""
    same = same_scale(undo.before.model.engine, account.model.engine)
    return undo.before.top if same and account.top == undo.after.top else account.top


def _peak(account: Account, undo: Undo, position: int | None) -> int | None:
    peak = undo.before.peak if account.peak == undo.after.peak else account.peak
    if position is None:
        return peak
    return position if peak is None else max(peak, position)


def fold(base: Account, run: Iterable[Undo]) -> Account:
    """The account after a run of undoing events that began on `base`, in the order in which they were written."""
    active: dict[int, Undo] = {}
    cancelled: dict[int, Undo] = {}
    for one in run:
        if one.undoes in active:
            cancelled[one.event] = active.pop(one.undoes)
        elif one.undoes in cancelled:
            active[one.event] = cancelled.pop(one.undoes)
        else:
            active[one.event] = one
    account = base
    for one in sorted(active.values(), key=lambda undo: undo.event):
        account = opposite(account, one)
    return account
