"""The Play card of one player and one queue, from PostgreSQL alone: what a reload, a second tab or a poll reads."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal

from django.db.models import Exists, OuterRef, Q, Subquery
from django.utils.translation import gettext as _

from ladder.models import Match, MatchParticipant, Player, Queue, ResultReport, SeasonRules
from ladder.selectors import conduct, seasons
from matchmaking.core.windows import search_ends_at, width
from matchmaking.models import ReadyCheck, ReadyCheckAnswer, Ticket, TicketMember
from matchmaking.selectors.policies import policy_at, settings_of
from matchmaking.selectors.rows import MatchCard, Notice, PlayState, QueueLink, ReadyCard, SearchCard
from matchmaking.selectors.waits import usual_wait
from matchmaking.selectors.words import acceptable_text, clock_text, end_notice, ending_text, sent_back_text

# How long the end of a search stays news.
NEWS = timedelta(minutes=15)
POINTS_A_DIVISION = 100.0
UNKNOWN: Literal["unknown"] = "unknown"
OpenRules = SeasonRules | None | Literal["unknown"]


def play_state(*, player: Player, queue: Queue, now: datetime, open_rules: OpenRules = UNKNOWN) -> PlayState:
    """Where the player stands with this queue, ready to show; at most five queries.

    queue: with its club. A search, check or match in another queue is shown too, with `is_elsewhere`.
    open_rules: the queue's season, for a caller that has read it already (None: no season is open).
    """
    seats = _seats(player)
    seat = next((row for row in seats if row.is_live), None)
    if seat is not None and seat.match.state != Match.State.READY_CHECK:
        return _in_match(seat, queue, now)
    if seat is not None and _has_open_check(seat):
        return _in_ready_check(seat.match, player, queue, now)
    ticket = _newest_ticket(player)
    if ticket is not None and ticket.ended_at is None:
        return _searching(ticket, queue, now, open_rules if ticket.queue_id == queue.pk else UNKNOWN)
    state = _at_rest(player, queue, ticket, now, open_rules)
    return replace(state, to_answer=next((_to_answer(row) for row in seats if _is_asked(row, queue)), None))


def calling(*, player: Player, now: datetime) -> PlayState | None:
    """The ready check or the search under way in whatever queue, for a page that is about something else; or None."""
    seat = next((row for row in _seats(player) if row.is_live), None)
    if seat is not None and _has_open_check(seat):
        return _in_ready_check(seat.match, player, seat.match.queue, now)
    ticket = _newest_ticket(player)
    if ticket is None or ticket.ended_at is not None:
        return None
    return _searching(ticket, ticket.queue, now, UNKNOWN)


def _seats(player: Player) -> list[MatchParticipant]:
    """Where the player sits in matches that are live or reported, each with who spoke last there; one query."""
    last = ResultReport.objects.filter(match=OuterRef("match")).order_by("-revision")
    own_side = MatchParticipant.objects.filter(team=OuterRef("team"), player=OuterRef("last_reporter"))
    return list(
        MatchParticipant.objects.filter(Q(is_live=True) | Q(match__state=Match.State.REPORTED), player=player)
        .select_related("match__queue__club", "match__ready_check")
        .annotate(last_reporter=Subquery(last.values("reporter")[:1]))
        .annotate(own_side_spoke=Exists(own_side))
        .order_by("-is_live", "match__confirm_by", "id")[:20]
    )


def _has_open_check(seat: MatchParticipant) -> bool:
    check: ReadyCheck | None = getattr(seat.match, "ready_check", None)
    return check is not None and check.state == ReadyCheck.State.OPEN


def _is_asked(seat: MatchParticipant, queue: Queue) -> bool:
    """Whether the match waits for the word of this player's side, in the club of this queue."""
    spoken: bool = seat.own_side_spoke  # type: ignore[attr-defined]  # annotated by _seats
    return seat.match.state == Match.State.REPORTED and not spoken and seat.match.queue.club_id == queue.club_id


def _to_answer(seat: MatchParticipant) -> MatchCard:
    step = _("The other side has reported a result. Confirm it, or say what was wrong.")
    return MatchCard(match_id=seat.match_id, state=seat.match.state, opponents=(), next_step=step)


def _newest_ticket(player: Player) -> Ticket | None:
    """The live one, if any; a live ticket is always the newest."""
    member = TicketMember.objects.filter(player=player).select_related("ticket__queue__club").order_by("-id").first()
    return member.ticket if member else None


def _base(at: Queue, asked: Queue, now: datetime) -> PlayState:
    link = QueueLink(club_slug=at.club.slug, slug=at.slug, name=at.name)
    return PlayState(state="idle", now=now, at=link, is_elsewhere=at.pk != asked.pk)


def _rules(queue: Queue, known: OpenRules) -> SeasonRules | None:
    return known if not isinstance(known, str) else seasons.current(queue)


def _at_rest(player: Player, queue: Queue, ticket: Ticket | None, now: datetime, open_rules: OpenRules) -> PlayState:
    """Nothing under way: may one join, and how did the last search end?"""
    base = replace(_base(queue, queue, now), notice=_news(ticket, queue, now))
    if queue.state != Queue.State.OPEN:
        return replace(base, state="closed", refusal=_("%(queue)s is closed at the moment.") % {"queue": queue.name})
    if _rules(queue, open_rules) is None:
        return replace(base, state="no_season", refusal=_("No season is open for %(queue)s.") % {"queue": queue.name})
    block = conduct.block(player_id=player.pk, club_id=queue.club_id, now=now)
    if block is not None:
        return replace(base, state="blocked", refusal=block.sentence, blocked_until=block.until)
    expired = base.notice is not None and ticket is not None and ticket.state == Ticket.State.EXPIRED
    return replace(base, state="expired" if expired else "idle", usual_wait=usual_wait(queue.pk, now=now))


def _news(ticket: Ticket | None, queue: Queue, now: datetime) -> Notice | None:
    if ticket is None or ticket.queue_id != queue.pk or ticket.ended_at is None or now - ticket.ended_at > NEWS:
        return None
    return end_notice(ticket)


def _searching(ticket: Ticket, asked: Queue, now: datetime, open_rules: OpenRules) -> PlayState:
    queue = ticket.queue
    row = policy_at(queue.pk, now)
    rules = _rules(queue, open_rules)
    waited = max(0.0, (now - ticket.joined_at).total_seconds())
    notice = Notice(ticket.back_reason, sent_back_text(ticket.back_reason, now - ticket.joined_at))
    divisions, ends_at = 0.5, None
    if row is not None:
        policy = settings_of(row)
        divisions = _half_divisions(width(policy.window, waited), rules)
        until = ticket.search_until.timestamp() if ticket.search_until else 0.0
        ends_at = search_ends_at(policy, ticket.joined_at.timestamp(), until)
    left = None if ends_at is None else max(0, round(ends_at - now.timestamp()))
    return replace(
        _base(queue, asked, now),
        state="searching",
        notice=notice if ticket.back_reason else None,
        usual_wait=usual_wait(queue.pk, now=now),
        search=SearchCard(
            ticket_id=ticket.pk,
            joined_at=ticket.joined_at,
            waited_seconds=int(waited),
            waited_text=clock_text(waited),
            seconds_left=left,
            divisions=divisions,
            acceptable_text=acceptable_text(divisions),
            ending_text=ending_text(left),
        ),
    )


def _half_divisions(points: float, rules: SeasonRules | None) -> float:
    """A window in divisions, rounded to half a one and never less."""
    width_of_one = _division_width(rules)
    return max(0.5, round(2 * points / width_of_one) / 2)


def _division_width(rules: SeasonRules | None) -> float:
    """How many rating points a division usually spans in this season: the median of the table's steps."""
    if rules is None:
        return POINTS_A_DIVISION
    begins = [value for value in seasons.rank_rules(rules).begins if value is not None]
    steps = sorted(upper - lower for lower, upper in itertools.pairwise(begins))
    return steps[len(steps) // 2] if steps else POINTS_A_DIVISION


def _in_ready_check(match: Match, player: Player, asked: Queue, now: datetime) -> PlayState:
    check: ReadyCheck = match.ready_check
    answers = list(check.answers.select_related("player").order_by("id"))
    own = next(answer for answer in answers if answer.player_id == player.pk)
    penalty = conduct.next_penalty(player_id=player.pk, club_id=match.queue.club_id, now=now)
    return replace(
        _base(match.queue, asked, now),
        state="ready_check",
        check=ReadyCard(
            check_id=check.pk,
            match_id=match.pk,
            deadline=check.deadline,
            seconds_left=max(0, int((check.deadline - now).total_seconds())),
            total_seconds=match.queue.accept_seconds,
            my_answer=own.answer,
            accepted=sum(answer.answer == ReadyCheckAnswer.Answer.ACCEPTED for answer in answers),
            needed=len(answers),
            opponents=tuple(answer.player.name for answer in answers if answer.ticket_id != own.ticket_id),
            decline_warning=conduct.warning_before(penalty),
        ),
    )


def _in_match(seat: MatchParticipant, asked: Queue, now: datetime) -> PlayState:
    match = seat.match
    others = MatchParticipant.objects.filter(match=match).exclude(team_id=seat.team_id)
    names = [one.player.name for one in others.select_related("player").order_by("id")]
    return replace(
        _base(match.queue, asked, now),
        state="match",
        match=MatchCard(
            match_id=match.pk, state=match.state, opponents=tuple(names), next_step=_next_step(match, names)
        ),
    )


def _next_step(match: Match, opponents: Sequence[str]) -> str:
    who = ", ".join(opponents)
    if match.state == Match.State.REPORTED:
        return _("A result is reported. Confirm or dispute it on the match page.")
    if match.state == Match.State.DISPUTED:
        return _("The result is disputed. A moderator decides.")
    return _("Play against %(who)s, then report the result on the match page.") % {"who": who}
