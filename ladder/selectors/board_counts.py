"""How many stand on a board, and at which place: everybody, counted over an index of ranks, less those who are gone.

Taking away is quicker than leaving out: few are gone, and an index of ranks does not know them.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db.models import Count, F, Func, IntegerField, Q, QuerySet, Subquery, Value
from django.db.models.functions import Cast, Coalesce, JSONObject

from ladder.models import Membership, Player, Queue
from ladder.selectors.board_order import Key, everybody, is_above, is_waiting_above
from ladder.selectors.ladders import Ladder
from ratings.models import PlayerRating


@dataclass(frozen=True, slots=True)
class Counts:
    """total: rows of the whole board; higher: at a better position than the key's; before: higher in the order."""

    total: int
    higher: int
    before: int


def number(ladder: Ladder, *conditions: Q) -> Any:
    """How many of those who are listed fulfil the conditions, as an expression for any query of one row."""
    counted = _number(everybody(ladder).filter(*conditions))
    return counted if ladder.is_final else counted - _number(_those_gone(ladder).filter(*conditions))


def count_around(ladder: Ladder, key: Key | None, *, besides: Collection[UUID] = ()) -> Counts:
    """How many are listed, and how many above the key (none without one); one query.

    besides: ratings that are left out of the counts.
    """
    asked = {"total": Q()}
    if key is not None:
        asked |= {"higher": _higher(key), "level": _level_above(key)}
    only = ~Q(pk__in=besides) if besides else Q()
    here: dict[str, Any] = {
        name: _number(everybody(ladder).filter(only, condition)) for name, condition in asked.items()
    }
    if not ladder.is_final:
        here["gone"] = _numbers(_those_gone(ladder).filter(only), asked)
    found: Mapping[str, Any] = Queue.objects.filter(pk=ladder.queue.pk).values("pk").annotate(**here).get()
    gone = found.get("gone") or {}
    total, higher, level = (found.get(name, 0) - gone.get(name, 0) for name in ("total", "higher", "level"))
    return Counts(total=total, higher=higher, before=higher + level)


def places(ladder: Ladder, positions: Iterable[int]) -> dict[int, int]:
    """The place of each of these positions; one query, none for none."""
    wanted = sorted(set(positions))
    if not wanted:
        return {}
    # Bucket n holds what stands above the n-th wanted position and not above the next one.
    begins = Cast(Value([position + 1 for position in wanted]), ArrayField(IntegerField()))
    bucket = Func(F("position"), begins, function="width_bucket", output_field=IntegerField())
    above_any = Q(position__gt=wanted[0])
    rows = [_by_bucket(everybody(ladder).filter(above_any), bucket, 1)]
    if not ladder.is_final:
        rows.append(_by_bucket(_those_gone(ladder).filter(above_any), bucket, -1))
    counts = [0] * (len(wanted) + 1)
    for found, many, sign in rows[0].union(*rows[1:], all=True):
        counts[found] += sign * many
    above = list(accumulate(reversed(counts[1:])))[::-1]
    return {position: higher + 1 for position, higher in zip(wanted, above, strict=True)}


def _by_bucket(rows: QuerySet[PlayerRating], bucket: Any, sign: int) -> Any:
    counted = rows.order_by().annotate(bucket=bucket).values("bucket").annotate(many=Count("*"))
    return counted.annotate(sign=Value(sign)).values_list("bucket", "many", "sign")


def _those_gone(ladder: Ladder) -> QuerySet[PlayerRating]:
    """Who is on the board and not listed; begun from the few that are gone."""
    ended = Membership.objects.filter(club=ladder.queue.club_id).exclude(state=Membership.State.ACTIVE)
    closed = Player.objects.filter(is_active=False)
    return everybody(ladder).filter(player__in=ended.values("player").union(closed.values("pk")))


def _number(rows: QuerySet[PlayerRating]) -> Coalesce:
    counted = rows.order_by().values("queue").annotate(number=Count("*")).values("number")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def _numbers(rows: QuerySet[PlayerRating], asked: Mapping[str, Q]) -> Subquery:
    """Several of them in one pass, by their names."""
    counts = {name: Count("id", filter=condition) for name, condition in asked.items()}
    return Subquery(rows.order_by().values("queue").annotate(numbers=JSONObject(**counts)).values("numbers"))


def _higher(key: Key) -> Q:
    return Q(position__isnull=False) if key.position is None else Q(position__gt=key.position)


def _level_above(key: Key) -> Q:
    """Of those who stand level with the key by position alone, the ones above it."""
    return is_waiting_above(key) if key.position is None else Q(position=key.position) & is_above(key)
