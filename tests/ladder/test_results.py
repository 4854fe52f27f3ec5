"""The doors of a result: report, confirm, dispute, withdraw, cancel, silence."""

from datetime import timedelta

import pytest

from ladder.models import Match, OutboxEvent, ResultReport
from ladder.services import results
from ratings.errors import DomainError, NotAllowed, NotFound, Stale
from tests.ladder.world import World

pytestmark = pytest.mark.service


def reported(world: World) -> Match:
    """Alice has reported that she beat bob 3:1."""
    match = world.match(world.alice, world.bob)
    return results.report(match_id=match.pk, actor=world.alice, revision=0, winner=0, scores=(3, 1), now=world.later())


def test_a_report_waits_for_the_other_side_and_frees_both_players(world: World) -> None:
    match = reported(world)

    assert match.state == Match.State.REPORTED
    assert match.confirm_by == world.now + timedelta(seconds=world.queue.confirm_seconds)
    assert not match.participants.filter(is_live=True).exists()
    assert not OutboxEvent.objects.exists()


def test_a_confirmation_completes_the_match_and_writes_the_outbox_row_with_it(world: World) -> None:
    match = reported(world)

    match = results.confirm(match_id=match.pk, actor=world.bob, revision=1, now=world.later(seconds=5))

    assert match.state == Match.State.COMPLETED
    assert match.completed_at == world.now
    assert [(team.rank, team.score) for team in match.teams.all()] == [(1, 3), (2, 1)]
    assert OutboxEvent.objects.get().payload == {"match_id": str(match.pk)}


def test_the_same_report_by_the_other_side_confirms(world: World) -> None:
    match = reported(world)

    match = results.report(match_id=match.pk, actor=world.bob, revision=1, winner=0, scores=None, now=world.now)

    assert match.state == Match.State.COMPLETED


def test_a_contradicting_report_opens_a_dispute(world: World) -> None:
    match = reported(world)

    match = results.report(match_id=match.pk, actor=world.bob, revision=1, winner=1, scores=None, now=world.now)

    assert match.state == Match.State.DISPUTED
    assert match.confirm_by is None


def test_a_second_click_is_answered_as_done(world: World) -> None:
    match = reported(world)

    again = results.report(match_id=match.pk, actor=world.alice, revision=0, winner=0, scores=(3, 1), now=world.now)

    assert (again.revision, ResultReport.objects.count()) == (1, 1)


def test_a_stale_tab_is_refused_and_changes_nothing(world: World) -> None:
    match = reported(world)

    with pytest.raises(Stale) as refusal:
        results.report(match_id=match.pk, actor=world.bob, revision=0, winner=1, scores=None, now=world.now)

    assert refusal.value.code == "stale"
    assert ResultReport.objects.count() == 1


def test_the_reporter_takes_it_back_before_it_is_answered(world: World) -> None:
    match = reported(world)

    match = results.withdraw(match_id=match.pk, actor=world.alice, revision=1, now=world.now)
    match = results.report(match_id=match.pk, actor=world.alice, revision=2, winner=1, scores=None, now=world.now)
    match = results.confirm(match_id=match.pk, actor=world.bob, revision=3, now=world.now)

    assert [team.rank for team in match.teams.all()] == [2, 1]


def test_the_other_side_cannot_take_it_back(world: World) -> None:
    match = reported(world)

    with pytest.raises(NotAllowed):
        results.withdraw(match_id=match.pk, actor=world.bob, revision=1, now=world.now)


def test_the_reporter_cannot_confirm_their_own_report(world: World) -> None:
    match = reported(world)

    with pytest.raises(DomainError) as refusal:
        results.confirm(match_id=match.pk, actor=world.alice, revision=1, now=world.now)

    assert refusal.value.code == "nothing_to_answer"


def test_nobody_else_reports(world: World) -> None:
    match = world.match(world.alice, world.bob)

    for somebody in (world.carol, world.maud, world.otto):
        with pytest.raises(NotAllowed):
            results.report(match_id=match.pk, actor=somebody, revision=0, winner=0, scores=None, now=world.now)
    with pytest.raises(NotFound):
        results.report(match_id=match.pk, actor=world.stranger, revision=0, winner=0, scores=None, now=world.now)

    assert not ResultReport.objects.exists()


@pytest.mark.parametrize(
    ("winner", "scores", "code"),
    [
        (0, (1, 3), "score_contradicts"),
        (5, None, "unknown_side"),
        (0, (3, -1), "wrong_scores"),
        (None, (1, 0), "score_contradicts"),
    ],
)
def test_a_result_that_cannot_be_is_refused_in_words(
    world: World, winner: int | None, scores: tuple[int, int] | None, code: str
) -> None:
    match = world.match(world.alice, world.bob)

    with pytest.raises(DomainError) as refusal:
        results.report(match_id=match.pk, actor=world.alice, revision=0, winner=winner, scores=scores, now=world.now)

    assert refusal.value.code == code
    assert refusal.value.message.endswith(".")
    assert not ResultReport.objects.exists()


def test_a_draw_is_refused_where_the_queue_has_none(world: World) -> None:
    world.queue.draws_allowed = False
    world.queue.save()
    match = world.match(world.alice, world.bob)

    with pytest.raises(DomainError) as refusal:
        results.report(match_id=match.pk, actor=world.alice, revision=0, winner=None, scores=None, now=world.now)

    assert refusal.value.code == "no_draws"


def test_a_match_that_has_not_started_cannot_be_reported(world: World) -> None:
    match = world.match(world.alice, world.bob, state=Match.State.READY_CHECK)

    with pytest.raises(DomainError) as refusal:
        results.report(match_id=match.pk, actor=world.alice, revision=0, winner=0, scores=None, now=world.now)

    assert refusal.value.code == "not_started"


def test_silence_confirms_when_its_time_is_over_and_not_before(world: World) -> None:
    match = reported(world)

    assert results.settle_silence(now=world.later(hours=23)) == 0
    assert results.settle_silence(now=world.later(hours=1)) == 1
    assert results.settle_silence(now=world.later(hours=1)) == 0

    match.refresh_from_db()
    assert match.state == Match.State.COMPLETED
    assert match.reports.last().kind == ResultReport.Kind.SILENCE


def test_two_sides_cancel_together(world: World) -> None:
    match = world.match(world.alice, world.bob)

    match = results.ask_to_cancel(match_id=match.pk, actor=world.alice, revision=0, now=world.now)
    assert match.state == Match.State.ASSIGNED
    match = results.agree_to_cancel(match_id=match.pk, actor=world.bob, revision=1, now=world.now)

    assert (match.state, match.end_reason) == (Match.State.CANCELLED, "by_agreement")
    assert not match.participants.filter(is_live=True).exists()
    assert not OutboxEvent.objects.exists()


def test_one_side_alone_cancels_only_by_the_others_silence(world: World) -> None:
    match = world.match(world.alice, world.bob)
    results.ask_to_cancel(match_id=match.pk, actor=world.alice, revision=0, now=world.now)

    with pytest.raises(DomainError):
        results.ask_to_cancel(match_id=match.pk, actor=world.alice, revision=1, now=world.later(seconds=1))
    assert results.settle_silence(now=world.later(hours=25)) == 1

    match.refresh_from_db()
    assert (match.state, match.end_reason) == (Match.State.CANCELLED, "silence")


def test_a_report_overtakes_the_wish_to_cancel(world: World) -> None:
    match = world.match(world.alice, world.bob)
    results.ask_to_cancel(match_id=match.pk, actor=world.alice, revision=0, now=world.now)

    match = results.report(match_id=match.pk, actor=world.bob, revision=1, winner=1, scores=None, now=world.now)

    assert match.state == Match.State.REPORTED


def test_B53_an_old_tab_cannot_report_into_a_match_that_is_over(world: World) -> None:
    match = reported(world)
    results.confirm(match_id=match.pk, actor=world.bob, revision=1, now=world.now)

    for revision in (0, 1, 2):
        with pytest.raises(Stale):
            results.report(match_id=match.pk, actor=world.bob, revision=revision, winner=1, scores=None, now=world.now)

    match.refresh_from_db()
    assert [team.rank for team in match.teams.all()] == [1, 2]
