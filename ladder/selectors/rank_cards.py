"""The rank of one person in one ladder, as a card; the same place as on the leaderboard."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ladder.models import Match, MatchParticipant, Queue, SeasonRules
from ladder.selectors.board_counts import number
from ladder.selectors.ladders import Ladder
from ladder.selectors.match_words import club_day
from ladder.selectors.unrated import IN_A_PERIOD
from ratings.core.visible_rank import DIVISION, RankLabel, label
from ratings.models import PlayerRating, RatingEvent
from ratings.selectors import start_words


@dataclass(frozen=True, slots=True)
class RankCard:
    """rank and place: None during placement, of which `played` of `placement_of` matches are done.

    waiting: matches that count when their rating period ends, on the day `counts_on`.
    start: in placement, the player's sentence on where the rating began.
    """

    queue: Queue
    season_name: str
    rank: RankLabel | None
    place: int | None
    of: int
    wins: int
    draws: int
    losses: int
    played: int
    placement_of: int
    shield: int
    waiting: int = 0
    counts_on: str = ""
    start: str = ""

    @property
    def waiting_line(self) -> str:
        """How many matches are still to count, and when."""
        if not self.waiting:
            return ""
        return ngettext(
            "%(n)d match counts on %(day)s, when the rating period ends.",
            "%(n)d matches count on %(day)s, when the rating period ends.",
            self.waiting,
        ) % {"n": self.waiting, "day": self.counts_on}

    @property
    def division_size(self) -> int:
        """Points from one division to the next."""
        return DIVISION

    @property
    def line(self) -> str:
        """Under the rank: points and place, or how placement goes."""
        if self.rank is None:
            return _("Placement: %(played)d of %(of)d matches played") % {
                "played": self.played,
                "of": self.placement_of,
            }
        points = _("%(points)d points") % {"points": self.rank.points}
        if self.place is None:
            return points
        return points + " · " + _("place %(place)d of %(of)d") % {"place": self.place, "of": self.of}


def ladder_of_rules(rules: SeasonRules) -> Ladder:
    """The ladder of these rules alone, without its neighbours."""
    return Ladder(queue=rules.queue, season=rules.season, rules=rules, every_season=(rules,), queues=(rules.queue,))


def rank_card(ladder: Ladder, player_id: UUID) -> RankCard | None:
    """The player's card; None before the first match of the season. One query."""
    if ladder.season is None:
        return None
    placed = RatingEvent.objects.filter(player_rating=OuterRef("pk"), kind=RatingEvent.Kind.PLACEMENT)
    row = (
        PlayerRating.objects.filter(queue=ladder.queue, season=ladder.season, role="", player_id=player_id)
        .annotate(
            above=number(ladder, Q(position__gt=OuterRef("position"))),
            of=number(ladder),
            waiting=Coalesce(_waiting("many"), 0),
            waits_until=_waiting("match__period_ends_at"),
            zone=F("queue__club__time_zone"),
            placed=Subquery(placed.order_by("seq").values("explanation")[:1]),
        )
        .first()
    )
    if row is None or not (row.games or row.waiting):
        return None
    return RankCard(
        queue=ladder.queue,
        season_name=ladder.season.name,
        rank=None if row.position is None else label(ladder.rank_rules, row.position),
        place=None if row.position is None else row.above + 1,
        of=row.of,
        wins=row.wins,
        draws=row.draws,
        losses=row.losses,
        played=row.games,
        placement_of=row.games + max(row.placement_left, 1),
        shield=row.shield,
        waiting=row.waiting,
        counts_on=club_day(row.waits_until, row.zone) if row.waits_until else "",
        start=start_words(row.placed) if row.placed and row.position is None else "",
    )


def rank_cards(rules: Sequence[SeasonRules], player_id: UUID) -> list[RankCard]:
    """The cards of these ladders in which the player has played; one query each."""
    cards = (rank_card(ladder_of_rules(row), player_id) for row in rules)
    return [card for card in cards if card is not None]


def _waiting(figure: str) -> Subquery:
    """How `many` of a player's matches wait for the end of the latest rating period that has any, or when it ends."""
    here = Match.objects.filter(IN_A_PERIOD, queue=OuterRef(OuterRef("queue")), season=OuterRef(OuterRef("season")))
    of_player = MatchParticipant.objects.filter(player=OuterRef("player"), match__in=here)
    by_period = of_player.values("match__period_ends_at").annotate(many=Count("id"))
    return Subquery(by_period.order_by("-match__period_ends_at").values(figure)[:1])
