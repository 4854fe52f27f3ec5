"""The staff take matches back and reinstate them: who may, what is on record, what every page says afterwards."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse as address

from ladder.models import AuditEntry, Match, OutboxEvent, Player, Season
from ladder.selectors.access import access_to
from ladder.selectors.ladders import ladder_of, rules_of
from ladder.selectors.last_results import last_five
from ladder.selectors.match_lists import my_matches
from ladder.selectors.profiles import profile
from ladder.services import reversals
from ratings.errors import DomainError, NotAllowed, NotFound
from ratings.models import PlayerRating, RatingEvent
from ratings.selectors.replay_history import history_size
from ratings.services.reversal import Reversal
from ratings.services.verify import verify_ledger
from tests.ladder.world import World, drain_outbox, play, rating_of

pytestmark = pytest.mark.service


@pytest.fixture
def played(world: World) -> list[Match]:
    """Nine rated matches of alice and bob, of which alice won six."""
    pairs = [(world.alice, world.bob) if number % 3 else (world.bob, world.alice) for number in range(9)]
    matches = [play(world, *pair) for pair in pairs]
    drain_outbox(world.now)
    return matches


def test_case_47_two_of_nine_matches_taken_back_leave_seven_in_every_count(world: World, played: list[Match]) -> None:
    _reverse(world, played[2], played[6])

    assert [rating_of(world, player).games for player in (world.alice, world.bob)] == [7, 7]
    assert (rating_of(world, world.alice).wins, rating_of(world, world.bob).wins) == (5, 2)
    seen = profile(access_to(world.club, world.alice), "alice", {})
    assert seen.cards is not None
    assert (seen.cards.games, seen.cards.wins, seen.cards.losses) == (7, 5, 2)
    assert history_size(queue_id=world.queue.pk, until=world.later(days=1)) == 7
    assert verify_ledger() == []


def test_B57_it_stays_on_the_record_struck_through_and_in_no_recent_form(world: World, played: list[Match]) -> None:
    _reverse(world, played[8])

    seen = profile(access_to(world.club, world.alice), "alice", {})
    assert [line.outcome.is_reversed for line in seen.matches] == [True] + 8 * [False]
    assert [row.is_reversed for row in my_matches(access_to(world.club, world.alice)).rows] == [True] + 8 * [False]
    ladder = ladder_of(rules_of(access_to(world.club, world.alice)), "blitz", None)
    assert len(last_five(ladder, [world.alice.pk])[world.alice.pk]) == 5
    assert Match.objects.get(pk=played[8].pk).state == Match.State.COMPLETED


def test_the_page_of_the_match_and_the_lists_say_so(world: World, played: list[Match]) -> None:
    _reverse(world, played[4])
    client = Client()
    client.force_login(world.bob)

    page = client.get(address("match", args=["chess", played[4].pk])).content.decode()
    matches = client.get(address("matches", args=["chess"])).content.decode()
    own = client.get(address("player", args=["chess", "bob"])).content.decode()

    assert "took this match back: it stays on the record and counts for nobody" in page
    assert "that you had lost." in page
    assert matches.count("<s>") >= 1
    assert "taken back" in matches
    assert "<s>" in own
    assert "taken back" in own


def test_B59_and_B67_each_reversal_is_its_own_event_linked_to_what_it_undoes(world: World, played: list[Match]) -> None:
    _reverse(world, played[1])

    event = RatingEvent.objects.get(kind="reversal", player_rating__player=world.alice)
    assert event.undoes is not None
    assert (event.undoes.kind, event.undoes.match_id, event.match_id) == ("match", played[1].pk, played[1].pk)
    assert (event.actor_id, event.reason) == (world.maud.pk, "cheating")


def test_reinstated_matches_count_again_and_every_number_is_back(world: World, played: list[Match]) -> None:
    before = [(row.rating, row.position, row.games, row.peak_position) for row in _ratings(world)]
    _reverse(world, played[0], played[5])

    reversals.reinstate(
        match_ids=[played[0].pk, played[5].pk], reason="a mistake", actor=world.maud, now=world.later(seconds=1)
    )

    assert [(row.rating, row.position, row.games, row.peak_position) for row in _ratings(world)] == before
    assert not Match.objects.filter(reversed_at__isnull=False).exists()
    actions = list(AuditEntry.objects.filter(action__startswith="match.re").values_list("action", flat=True))
    assert sorted(actions) == ["match.reinstated"] * 2 + ["match.reversed"] * 2


@pytest.mark.parametrize("name", ["alice", "carol", "stranger"])
def test_players_and_strangers_may_not(world: World, played: list[Match], name: str) -> None:
    actor: Player = getattr(world, name)
    with pytest.raises((NotAllowed, NotFound)):
        reversals.reverse(match_ids=[played[0].pk], mode="refund", reason="no", actor=actor, now=world.now)
    with pytest.raises((NotAllowed, NotFound)):
        reversals.preview(match_ids=[played[0].pk], mode="refund", actor=actor, now=world.now)
    assert not RatingEvent.objects.filter(undoes__isnull=False).exists()


def test_nobody_takes_back_a_match_that_they_played(world: World) -> None:
    match = play(world, world.maud, world.bob)
    drain_outbox(world.now)
    with pytest.raises(NotAllowed, match="another moderator"):
        _reverse(world, match)


def test_an_unrated_match_and_one_of_another_club_are_refused_and_nothing_changes(
    world: World, played: list[Match]
) -> None:
    waiting = play(world, world.carol, world.dave)
    with pytest.raises(DomainError, match="moved no rating"):
        _reverse(world, played[0], waiting)
    with pytest.raises(NotFound):
        reversals.reverse(match_ids=[world.club.pk], mode="refund", reason="x", actor=world.maud, now=world.now)
    assert not Match.objects.filter(reversed_at__isnull=False).exists()


def test_with_four_eyes_a_second_moderator_stands_by_it(world: World, played: list[Match]) -> None:
    world.club.four_eyes = True
    world.club.save()
    with pytest.raises(DomainError, match="four eyes"):
        _reverse(world, played[0])
    with pytest.raises(DomainError, match="four eyes"):
        _reverse(world, played[0], approver=world.maud)
    with pytest.raises(NotAllowed):
        _reverse(world, played[0], approver=world.carol)

    _reverse(world, played[0], approver=world.olga)

    assert AuditEntry.objects.get(action="match.reversed").detail["approver"] == str(world.olga.pk)


def test_what_moves_in_a_closed_season_is_recorded_as_a_correction_of_it(world: World, played: list[Match]) -> None:
    Season.objects.filter(pk=world.season.pk).update(state=Season.State.CLOSED)

    _reverse(world, played[3])

    entry = AuditEntry.objects.get(action="season.corrected")
    assert (entry.subject_id, entry.detail["players_moved"]) == (str(world.season.pk), 2)


def test_open_pages_and_waiting_tickets_are_told(world: World, played: list[Match]) -> None:
    before = OutboxEvent.objects.filter(kind="rating.changed").count()
    _reverse(world, played[3])

    event = OutboxEvent.objects.filter(kind="rating.changed").latest("pk")
    assert OutboxEvent.objects.filter(kind="rating.changed").count() == before + 1
    assert set(event.payload["players"]) == {str(world.alice.pk), str(world.bob.pk)}


def test_the_preview_tells_the_same_and_changes_nothing(world: World, played: list[Match]) -> None:
    seen = reversals.preview(match_ids=[played[3].pk], mode="recompute", actor=world.maud, now=world.now)
    assert not RatingEvent.objects.filter(undoes__isnull=False).exists()

    (done,) = _reverse(world, played[3])

    assert [done] == seen
    assert len(done.shifts) == 2


def test_a_moderator_sees_who_moves_takes_the_match_back_with_a_reason_and_lets_it_count_again(
    world: World, played: list[Match]
) -> None:
    page = address("match_reversal", args=["chess", played[4].pk])
    client = Client()
    client.force_login(world.maud)
    assert page in client.get(address("match", args=["chess", played[4].pk])).content.decode()

    seen = client.get(page, {"way": "recompute"}).content.decode()
    assert "alice" in seen
    assert "bob" in seen
    assert client.post(page, {"way": "recompute", "reason": " "}).status_code == 400
    assert Match.objects.get(pk=played[4].pk).reversed_at is None

    assert client.post(page, {"way": "recompute", "reason": "cheating"}).status_code == 302
    assert Match.objects.get(pk=played[4].pk).reversed_at is not None
    assert "Let it count again" in client.get(page).content.decode()
    assert client.post(page, {"way": "reinstate", "reason": "a mistake"}).status_code == 302
    assert Match.objects.get(pk=played[4].pk).reversed_at is None
    assert verify_ledger() == []


def test_the_page_refuses_a_match_that_moved_nothing_in_words(world: World) -> None:
    waiting = play(world, world.carol, world.dave)
    client = Client()
    client.force_login(world.maud)

    answer = client.get(address("match_reversal", args=["chess", waiting.pk]))

    assert answer.status_code == 409
    assert "moved no rating" in answer.content.decode()
    client.force_login(world.alice)
    assert client.get(address("match_reversal", args=["chess", waiting.pk])).status_code == 403


def _reverse(world: World, *matches: Match, approver: Player | None = None) -> list[Reversal]:
    return reversals.reverse(
        match_ids=[match.pk for match in matches],
        mode="recompute",
        reason="cheating",
        actor=world.maud,
        approver=approver,
        now=world.later(seconds=1),
    )


def _ratings(world: World) -> list[PlayerRating]:
    return [rating_of(world, player) for player in (world.alice, world.bob)]
