"""A match that is taken back leaves no number behind, and comes back to the last bit (invariant 11)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ratings.core.explain import signed
from ratings.core.types import Belief
from ratings.errors import DomainError, NotFound
from ratings.models import PlayerRating, RatingEvent
from ratings.selectors import explanation
from ratings.services.recorded import load
from ratings.services.reversal import preview, preview_reinstating, reverse
from ratings.services.verify import verify_ledger
from tests.harness.threads import run_together
from tests.ratings.taken_back import (
    Correction,
    Game,
    NewModel,
    NextSeason,
    Pause,
    Play,
    circle,
    events,
    standings,
    without,
)
from tests.ratings.world import World

pytestmark = pytest.mark.service


def test_case_47_of_nine_matches_two_are_taken_back_seven_count_and_ratings_are_those_of_a_replay_without_them(
    quick_world: World,
) -> None:
    steps = [Game((("alice",), ("bob",)), (1, 2) if number % 3 else (2, 1)) for number in range(9)]
    never = without(quick_world, steps, {2, 5})
    play = Play(quick_world).run(steps)
    assert standings()["alice", "s1"]["games"] == 9

    play.reverse({2, 5})

    assert standings()["alice", "s1"]["games"] == standings()["bob", "s1"]["games"] == 7
    assert standings() == never
    assert verify_ledger() == []


def test_case_49_a_result_taken_back_after_later_games_is_a_replay_without_it_and_others_follow(
    quick_world: World,
) -> None:
    steps = [
        Game((("alice",), ("bob",))),
        Game((("alice",), ("carol",))),
        Game((("carol",), ("dave",))),
        Game((("dave",), ("alice",))),
    ]
    never = without(quick_world, steps, {0})
    play = Play(quick_world).run(steps)

    play.reverse({0})

    assert standings() == never
    kinds = {name: quick_world.last_event(name).kind for name in ("alice", "bob", "carol", "dave")}
    assert kinds == {"alice": "reversal", "bob": "reversal", "carol": "recompute", "dave": "recompute"}
    undone = RatingEvent.objects.get(kind="match", match=play.matches[0], player_rating__player__handle="alice")
    assert quick_world.last_event("alice").undoes_id == undone.pk
    assert verify_ledger() == []


def test_a_refund_is_the_exact_opposite_for_the_two_who_played_and_touches_nobody_else(quick_world: World) -> None:
    play = Play(quick_world).run(circle(12))
    before = standings()
    done = {event.player_rating.player.handle: event for event in _events_of(play, 4)}

    play.reverse({4}, "refund")

    after = standings()
    for key, row in after.items():
        if key[0] not in done:
            assert row == before[key]
            continue
        event = done[key[0]]
        assert event.deviation_before is not None
        assert event.deviation_after is not None
        assert row["rating"] - before[key]["rating"] == pytest.approx(event.rating_before - event.rating_after)
        ratio = event.deviation_before / event.deviation_after
        assert row["deviation"] / before[key]["deviation"] == pytest.approx(ratio)
        assert row["position"] - before[key]["position"] == -(event.points_delta or 0)
        assert row["games"] == before[key]["games"] - 1
    assert {quick_world.last_event(name).kind for name in done} == {"refund"}
    assert verify_ledger() == []


def test_the_last_match_of_two_players_is_refunded_to_the_last_bit(quick_world: World) -> None:
    play = Play(quick_world).run(circle(7))
    before = standings()
    play.run([Game((("alice",), ("bob",)))])

    play.reverse({7}, "refund")

    assert standings() == before


@pytest.mark.parametrize("mode", ["refund", "recompute"])
def test_reinstating_restores_every_number_bit_for_bit_and_only_adds_events(world: World, mode: str) -> None:
    play = Play(world).run([*circle(12), Correction("alice", 40.0), Pause(50), *circle(6)])
    before, written = standings(), list(RatingEvent.objects.order_by("pk").values_list("pk", "hash"))

    play.reverse({1, 9}, mode)  # type: ignore[arg-type]
    play.reverse({4}, mode)  # type: ignore[arg-type]
    assert standings() != before
    play.reinstate({9})
    play.reinstate({1, 4})

    assert standings() == before
    assert written == list(RatingEvent.objects.order_by("pk").values_list("pk", "hash"))[: len(written)]
    assert verify_ledger() == []


@pytest.mark.parametrize("back", [(9, 1), (1, 9)])
@pytest.mark.parametrize("first", ["refund", "recompute"])
def test_refunds_and_recomputes_among_one_another_come_back_bit_for_bit(
    world: World, first: str, back: tuple[int, int]
) -> None:
    play = Play(world).run(circle(14))
    before = standings()
    modes = {"refund": ("refund", "recompute"), "recompute": ("recompute", "refund")}[first]
    play.reverse({9}, modes[0])  # type: ignore[arg-type]
    play.reverse({1}, modes[1])  # type: ignore[arg-type]
    for number in back:
        play.reinstate({number})

    assert standings() == before
    assert verify_ledger() == []


def test_a_match_can_be_taken_back_reinstated_and_taken_back_again(quick_world: World) -> None:
    play = Play(quick_world).run(circle(9))
    play.reverse({3})
    away = standings()
    play.reinstate({3})
    play.reverse({3})
    assert standings() == away
    play.reinstate({3})
    play.reverse({3}, "refund")
    refunded = standings()
    play.reinstate({3})
    play.reverse({3}, "refund")

    assert standings() == refunded
    assert verify_ledger() == []


def test_play_goes_on_between_and_the_reinstated_match_counts_as_if_never_taken_back(quick_world: World) -> None:
    first, then = circle(8), circle(10)[3:]
    whole = without(quick_world, [*first, *then], set())
    play = Play(quick_world).run(first)
    play.reverse({2})
    quick_world.now -= timedelta(minutes=1)
    play.run(then)

    play.reinstate({2})

    assert standings() == whole
    assert verify_ledger() == []


def test_corrections_model_changes_and_season_starts_between_are_done_again(world: World) -> None:
    steps = [
        *circle(8),
        Correction("bob", -75.0),
        *circle(5),
        NewModel("trueskill"),
        *circle(6),
        NextSeason(),
        *circle(7),
        Pause(40),
        NewModel("weng_lin"),
        *circle(4),
    ]
    world.answers = {"alice": "expert", "bob": "novice"}
    never = without(world, steps, {0, 6, 14})
    play = Play(world).run(steps)

    play.reverse({14, 0})
    play.reverse({6})

    assert standings() == never
    assert verify_ledger() == []


def test_whose_earlier_season_is_taken_back_whole_starts_the_next_as_the_newcomer_they_were(world: World) -> None:
    world.answers = {"alice": "expert"}
    steps = [
        Game((("alice",), ("carol",))),
        Game((("dave",), ("bob",))),
        NewModel("trueskill"),
        NextSeason(),
        Game((("alice",), ("carol",))),
        Game((("bob",), ("carol",))),
    ]
    never = without(world, steps, {0})
    play = Play(world).run(steps)

    play.reverse({0})

    assert standings() == never
    assert verify_ledger() == []


def test_a_value_from_a_replay_moves_with_what_the_rating_before_it_moves(quick_world: World) -> None:
    steps = [*circle(6), NewModel("trueskill")]
    by_carrying, never = without(quick_world, steps, set()), without(quick_world, steps, {1})
    play = Play(quick_world).run(circle(6))
    rows = {row.pk: Belief(30.0 + number, 4.0) for number, row in enumerate(PlayerRating.objects.order_by("pk"))}
    play.change_model(NewModel("trueskill"), rows)
    before = standings()

    play.reverse({1})

    for key, row in standings().items():
        moved = never[key]["rating"] - by_carrying[key]["rating"]
        assert row["rating"] - before[key]["rating"] == pytest.approx(moved, abs=1e-9)
    play.reinstate({1})
    assert standings() == before


def test_teams_and_matches_under_way_are_predicted_anew_from_the_beliefs_of_their_formation(world: World) -> None:
    teams = (("alice", "bob"), ("carol", "dave"))
    other = (("alice", "carol"), ("bob", "dave"))
    meanwhile = Game((("carol",), ("dave",)), (2, 1))
    steps = [Game(teams), Game(other, (2, 1), meanwhile), Game(teams, (1, 1)), Game(other)]
    never = without(world, steps, {0})
    play = Play(world).run(steps)

    play.reverse({0})

    assert standings() == never


def test_recomputing_an_untouched_queue_gives_the_ledger_bit_for_bit(world: World) -> None:
    Play(world).run(
        [*circle(9), Correction("carol", 60.0), NewModel("trueskill"), *circle(6), NextSeason(), *circle(5)]
    )
    ledger = load(world.queue.pk, lock=False)

    accounts = ledger.walk(set(), trusting=False)

    for key, chain in ledger.chains.items():
        assert accounts[key][1:] == [event.after for event in chain.events]


def test_taking_back_what_is_taken_back_does_nothing(quick_world: World) -> None:
    play = Play(quick_world).run(circle(6))
    play.reverse({2})
    written = events()

    assert play.reverse({2}).matches == ()
    assert play.reverse({2}, "refund").matches == ()
    assert events() == written
    play.reinstate({2})
    written = events()
    assert play.reinstate({2}).matches == ()
    assert events() == written


def test_no_reason_and_matches_that_moved_nothing_are_refused(quick_world: World) -> None:
    play = Play(quick_world).run(circle(3))
    formed = quick_world.form(["alice"], ["bob"])
    play.matches[99] = formed.match_id
    before = standings(), events()

    with pytest.raises(NotFound):
        play.reverse({0, 99})
    with pytest.raises(DomainError, match="reason"):
        reverse(
            queue_id=quick_world.queue.pk,
            match_ids=[play.matches[0]],
            mode="refund",
            reason="  ",
            actor=quick_world.id("dave"),
            now=quick_world.now,
        )

    assert (standings(), events()) == before


@pytest.mark.parametrize("mode", ["refund", "recompute"])
def test_the_preview_tells_exactly_what_happens_and_changes_nothing(quick_world: World, mode: str) -> None:
    play = Play(quick_world).run(circle(10))
    before, written = standings(), events()
    keys = [play.matches[3], play.matches[7]]

    seen = preview(queue_id=quick_world.queue.pk, match_ids=keys, mode=mode, now=quick_world.now)  # type: ignore[arg-type]

    assert (standings(), events()) == (before, written)
    assert seen.shifts == play.reverse({3, 7}, mode).shifts  # type: ignore[arg-type]
    for shift in seen.shifts:
        row = PlayerRating.objects.get(player=shift.player_id)
        assert (row.position, row.games) == (shift.position_after, shift.games_after)
    back = preview_reinstating(queue_id=quick_world.queue.pk, match_ids=keys, now=quick_world.now)
    assert {one.player_id: one.points for one in back.shifts} == {
        one.player_id: None if one.points is None else -one.points for one in seen.shifts
    }


def test_players_and_staff_read_why_their_rank_moved(quick_world: World) -> None:
    play = Play(quick_world).run(
        [Game((("bob",), ("dave",))), Game((("alice",), ("bob",))), Game((("alice",), ("carol",)))]
    )
    play.reverse({1})
    alice, bob, carol = (quick_world.last_event(name) for name in ("alice", "bob", "carol"))

    assert explanation(bob).sentences == (
        "The staff of your club took back the match of 2026-03-02 that you had lost.",
        f"Your rank: {signed(bob.points_delta or 0)}.",
    )
    assert explanation(alice).sentences[0].endswith("that you had won.")
    assert explanation(carol).sentences[0].startswith("Matches that mattered for those you played were taken back")
    told = str(explanation(bob, "staff"))
    assert "The match of 2026-03-02 18:18 UTC (loss) was taken back; everything since was counted anew." in told
    assert told.endswith("By dave: cheating")
    play.reinstate({1})
    assert str(explanation(quick_world.last_event("bob"))).startswith(
        "The match of 2026-03-02 that you had lost counts"
    )
    play.reverse({1}, "refund")
    assert explanation(quick_world.last_event("bob")).sentences[0] == explanation(bob).sentences[0]
    assert "The exact opposite of the match" in str(explanation(quick_world.last_event("bob"), "staff"))


@pytest.mark.race
def test_two_moderators_at_once_take_a_match_back_once_while_play_goes_on(shared_world: World) -> None:
    play = Play(shared_world).run(circle(10))
    formed = shared_world.form(["alice"], ["bob"])

    def rate() -> int:
        play.rate(formed, (1, 2))
        return 0

    done = run_together(
        lambda: len(play.reverse({4}).matches), lambda: len(play.reverse({4}).matches), rate, timeout=60
    )

    assert sum(done) == 1
    assert RatingEvent.objects.filter(kind="reversal").count() == 2
    assert verify_ledger() == []


def _events_of(play: Play, number: int) -> list[RatingEvent]:
    rows = RatingEvent.objects.filter(kind="match", match=play.matches[number])
    return list(rows.select_related("player_rating__player"))
