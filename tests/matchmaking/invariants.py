"""What must hold after whatever happened (architecture.md, invariants 4, 5 and 6)."""

from __future__ import annotations

from collections import Counter

from ladder.models import Match, MatchParticipant
from matchmaking.models import ReadyCheck, Ticket, TicketEvent, TicketMember
from matchmaking.store import get_store
from tests.matchmaking.hall import Hall

ENDS = {"assigned", "cancelled", "expired", "removed"}


def assert_invariants(hall: Hall) -> None:
    """4, 5 and 6 in PostgreSQL, and the store equal to it once recovery had its turn."""
    assert_one_of_everything()
    assert_every_ticket_has_one_life()
    assert_ages_are_kept()
    searching = Ticket.objects.filter(state="searching").values_list("pk", "joined_at")
    stored = {one.id: one.joined_at for one in get_store().load(hall.pool).tickets}
    assert stored == {pk.hex: joined_at.timestamp() for pk, joined_at in searching}


def assert_one_of_everything() -> None:
    """A player holds at most one ticket, one open check and one live match, and they agree with each other."""
    live = Counter(TicketMember.objects.filter(is_live=True).values_list("player_id", flat=True))
    matches = Counter(MatchParticipant.objects.filter(is_live=True).values_list("player_id", flat=True))
    open_checks = ReadyCheck.objects.filter(state="open")
    checks = Counter(open_checks.values_list("answers__player_id", flat=True))
    for counter in (live, matches, checks):
        assert all(number == 1 for number in counter.values()), counter
    proposed = TicketMember.objects.filter(ticket__state="proposed").values_list("player_id", flat=True)
    assert set(proposed) == set(checks)
    assert set(checks) <= set(matches)
    assert not set(TicketMember.objects.filter(ticket__state="searching").values_list("player_id", flat=True)) & set(
        matches
    )
    waiting = Match.objects.filter(state="ready_check").values_list("pk", flat=True)
    assert set(waiting) == set(open_checks.values_list("match_id", flat=True))


def assert_every_ticket_has_one_life() -> None:
    """A ticket is in at most one open check, and ends in exactly one way, once."""
    tickets = Counter(ReadyCheck.objects.filter(state="open").values_list("answers__ticket_id", flat=True))
    assert all(number == 1 for number in tickets.values()), tickets
    ends = Counter(TicketEvent.objects.filter(kind__in=ENDS).values_list("ticket_id", flat=True))
    for ticket in Ticket.objects.all():
        over = ticket.state in ENDS
        assert ends[ticket.pk] == (1 if over else 0), (ticket, ends[ticket.pk])
        assert ticket.members.filter(is_live=True).exists() != over
    for check in ReadyCheck.objects.filter(state="complete"):
        assert {answer.answer for answer in check.answers.all()} == {"accepted"}
        assert check.match.state in {"assigned", "cancelled"}


def assert_ages_are_kept() -> None:
    """A ticket joined when its first fact says so, whatever happened to it since."""
    for event in TicketEvent.objects.filter(kind="joined").select_related("ticket"):
        assert event.ticket.joined_at == event.created_at
