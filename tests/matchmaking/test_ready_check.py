"""The ready check through its doors: yes, no, silence, and too late."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ladder.models import Match, MatchParticipant, Offence
from ladder.services import matches
from matchmaking.models import ReadyCheck, ReadyCheckAnswer, Ticket
from matchmaking.services import ready
from ratings.errors import DomainError, NotFound
from tests.matchmaking.hall import Hall

pytestmark = pytest.mark.service


@pytest.fixture
def checked(hall: Hall) -> Hall:
    """Alice waited 110 seconds, then bob came; their ready check is open."""
    hall.join(hall.world.alice)
    hall.later(109)
    hall.join(hall.world.bob)
    assert hall.tick().formed == 1
    return hall


def test_case_37_who_accepted_searches_again_with_the_age_that_includes_the_check(checked: Hall) -> None:
    alice, bob = checked.world.alice, checked.world.bob
    checked.accept(alice)
    checked.later(20)

    checked.decline(bob)

    ticket = checked.ticket(alice)
    assert (ticket.state, checked.waited(alice)) == (Ticket.State.SEARCHING, 130)
    assert checked.in_store(alice)
    checked.join(checked.world.carol, checked.world.dave)
    checked.tick()
    assert checked.ticket(alice).state == Ticket.State.PROPOSED, "first in line among equals"


def test_the_one_who_declines_leaves_with_an_offence_and_the_match_is_called_off(checked: Hall) -> None:
    outcome = checked.decline(checked.world.bob)

    assert outcome.state == "declined"
    assert (checked.ticket(checked.world.bob).state, checked.ticket(checked.world.bob).end_reason) == (
        Ticket.State.REMOVED,
        "declined",
    )
    assert list(Offence.objects.values_list("player__handle", "kind")) == [("bob", "declined")]
    assert Match.objects.get().state == Match.State.CANCELLED
    assert not MatchParticipant.objects.filter(is_live=True).exists()


def test_B47_the_text_before_and_after_a_decline_names_what_follows(checked: Hall) -> None:
    bob = checked.world.bob
    before = checked.card(bob).check
    assert before is not None
    assert "warning" in before.decline_warning
    assert "warning" in checked.decline(bob).text

    checked.later(130)
    checked.join(bob)
    checked.tick()
    card = checked.card(bob).check
    assert card is not None
    assert "1 minute" in card.decline_warning
    assert "1 minute" in checked.decline(bob).text


def test_case_55_the_first_time_is_a_warning_and_the_next_block_a_while(checked: Hall) -> None:
    bob = checked.world.bob
    checked.decline(bob)
    checked.join(bob)
    checked.tick(125)
    checked.decline(bob)

    with pytest.raises(DomainError) as refusal:
        checked.join(bob)

    assert (refusal.value.code, refusal.value.until) == ("blocked", checked.now + timedelta(minutes=1))
    checked.later(61)
    assert checked.join(bob)[0].state == Ticket.State.SEARCHING


def test_B43_who_refused_an_opponent_is_not_offered_the_same_one_for_a_while(checked: Hall) -> None:
    alice, bob = checked.world.alice, checked.world.bob
    checked.decline(bob)
    checked.join(bob)

    soon = checked.tick(60)
    checked.join(checked.world.carol)
    checked.tick()

    assert (soon.formed, soon.oldest_reason) == (0, "avoid")
    assert checked.ticket(alice).state == Ticket.State.PROPOSED, "the queue does not stop for alice"
    assert {answer.player_id for answer in checked.check(alice).answers.all()} == {alice.pk, checked.world.carol.pk}
    assert checked.ticket(bob).state == Ticket.State.SEARCHING


def test_silence_of_one_who_saw_it_is_an_offence(checked: Hall) -> None:
    checked.accept(checked.world.alice)
    checked.see(checked.world.bob)

    assert checked.expire(21.9) == 0, "two seconds of grace"
    assert checked.expire(0.1) == 1

    assert list(Offence.objects.values_list("player__handle", "kind")) == [("bob", "missed")]
    assert checked.ticket(checked.world.alice).state == Ticket.State.SEARCHING
    assert checked.ticket(checked.world.bob).end_reason == "missed"


def test_case_49_never_shown_is_missed_without_penalty_and_the_ticket_leaves(checked: Hall) -> None:
    checked.accept(checked.world.alice)

    checked.expire(22)

    assert not Offence.objects.exists()
    assert checked.ticket(checked.world.bob).end_reason == "missed_unseen"
    notice = checked.card(checked.world.bob).notice
    assert notice is not None
    assert "No harm done" in notice.text


def test_case_49_an_accept_that_arrives_within_the_grace_counts(checked: Hall) -> None:
    checked.accept(checked.world.alice)
    checked.later(20.1)

    assert checked.accept(checked.world.bob).state == "started"


def test_case_15_after_a_missed_check_everybody_may_queue_again_at_once(checked: Hall) -> None:
    checked.accept(checked.world.alice)
    checked.expire(22)

    (ticket,) = checked.join(checked.world.bob)

    assert ticket.state == Ticket.State.SEARCHING


def test_B37_a_click_after_the_end_is_told_expired_even_before_the_sweep(checked: Hall) -> None:
    checked.accept(checked.world.alice)
    checked.later(23)

    late = checked.accept(checked.world.bob)
    again = checked.accept(checked.world.bob)

    assert late.state == again.state == "expired"
    assert "You can join again" in late.text
    assert checked.card(checked.world.bob).may_join
    assert checked.check(checked.world.bob).state == ReadyCheck.State.FAILED


def test_case_53_those_sent_back_read_why_and_where_they_stand(checked: Hall) -> None:
    checked.later(2)
    checked.decline(checked.world.bob)

    outcome = checked.accept(checked.world.alice)
    notice = checked.card(checked.world.alice).notice

    assert outcome.state == "failed"
    assert outcome.text == "A player did not accept. You are first in line again (waited 1:52)."
    assert notice is not None
    assert notice.text == outcome.text


def test_accepting_twice_is_a_no_op_and_a_decline_after_it_changes_nothing(checked: Hall) -> None:
    alice = checked.world.alice
    first = checked.accept(alice)
    answered = ReadyCheckAnswer.objects.get(player=alice).answered_at

    again, no = checked.accept(alice), checked.decline(alice)

    assert first.state == again.state == no.state == "waiting"
    assert ReadyCheckAnswer.objects.get(player=alice).answered_at == answered
    assert not Offence.objects.exists()


def test_case_47_the_deadline_is_set_once_and_no_answer_moves_it(checked: Hall) -> None:
    before = checked.check(checked.world.alice).deadline
    checked.later(10)
    checked.accept(checked.world.alice)
    checked.tick()

    assert checked.check(checked.world.alice).deadline == before
    assert before == checked.check(checked.world.alice).created_at + timedelta(seconds=20)


def test_B41_a_better_candidate_does_not_reopen_a_frozen_proposal(checked: Hall) -> None:
    checked.accept(checked.world.alice)
    checked.join(checked.world.carol)
    checked.tick()

    outcome = checked.accept(checked.world.bob)

    assert outcome.state == "started"
    players = set(Match.objects.get(pk=outcome.match_id).participants.values_list("player_id", flat=True))
    assert players == {checked.world.alice.pk, checked.world.bob.pk}
    assert ReadyCheck.objects.count() == 1


def test_somebody_else_cannot_answer(checked: Hall) -> None:
    with pytest.raises(NotFound):
        ready.accept(ready_check_id=checked.check(checked.world.alice).pk, player=checked.world.carol, now=checked.now)


def test_a_match_that_cannot_start_sends_everybody_back_and_says_so(checked: Hall) -> None:
    match = Match.objects.get()
    matches.cancel(match_id=match.pk, reason="by_staff", now=checked.now, actor=checked.world.maud)
    checked.accept(checked.world.alice)

    outcome = checked.accept(checked.world.bob)

    assert outcome.state == "failed"
    assert "nobody is to blame" in outcome.text
    assert {checked.ticket(one).state for one in (checked.world.alice, checked.world.bob)} == {Ticket.State.SEARCHING}
    assert not Offence.objects.exists()


def test_an_innocent_sent_back_at_the_end_of_the_search_gets_a_minute_more(hall: Hall) -> None:
    hall.join(hall.world.alice)
    hall.later(294)
    hall.join(hall.world.bob)
    hall.tick()
    hall.later(10)
    hall.decline(hall.world.bob)

    assert hall.tick(59).expired == 0
    assert hall.tick(1).expired == 1
