"""One tick as a pure function: against its quadratic definition, and case by case."""

from __future__ import annotations

import math
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from matchmaking.core.pairing import plan_tick
from matchmaking.core.policy import PRESETS, Policy, Step, Window
from matchmaking.core.quality import pair_cost
from matchmaking.core.types import Seeker, TickPlan, WaitingTicket
from matchmaking.core.windows import width

NOW = 1_000.0
QUICK = PRESETS["quick"]
FOREVER = Policy(QUICK.window, lifetime=None)


def ticket(
    name: str, rating: float, waited: float, *, sequence: int = 0, avoid: dict[str, float] | None = None
) -> WaitingTicket:
    return WaitingTicket(name, (Seeker(f"player of {name}", rating),), NOW - waited, sequence, avoid=avoid or {})


def plan(*tickets: WaitingTicket, policy: Policy = QUICK, now: float = NOW, seed: int = 1) -> TickPlan:
    return plan_tick(tickets, policy, now, random.Random(seed))


def pairs(made: TickPlan) -> list[set[str]]:
    return [set(proposal.tickets) for proposal in made.proposals]


def quadratic(tickets: list[WaitingTicket], policy: Policy, now: float) -> list[set[str]]:
    """The definition, word for word."""
    free = sorted(tickets, key=lambda one: one.age_order)
    found = []
    while free:
        a = free.pop(0)
        reach = {one.id: width(policy.window, one.waited(now)) for one in [a, *free]}
        costs = {b.id: pair_cost(a, b, reach[a.id], reach[b.id], now) for b in free}
        options = [(cost, b.age_order, b) for b in free if (cost := costs[b.id]) is not None]
        if options:
            best = min(options)[2]
            free.remove(best)
            found.append({a.id, best.id})
    return found


ratings = st.one_of(st.integers(1400, 1600).map(float), st.floats(800, 2200), st.sampled_from([1500.0, 1550.0, 1600.0]))
waits = st.one_of(st.floats(0, 40), st.sampled_from([0.0, 2.0, 10.0]))
windows = st.builds(
    Window,
    base=st.sampled_from([0.0, 25.0, 50.0]),
    growth=st.sampled_from([0.0, 2.0, 25.0]),
    cap=st.sampled_from([100.0, 400.0]),
    steps=st.sampled_from([(), (Step(5.0, 60.0), Step(15.0, 90.0))]),
)


@st.composite
def pools(draw: st.DrawFn) -> list[WaitingTicket]:
    size = draw(st.integers(0, 25))
    players = [f"player of t{index}" for index in range(size)]
    untils = st.sampled_from([NOW - 1.0, NOW + 60.0])
    return [
        ticket(
            f"t{index}",
            draw(ratings),
            draw(waits),
            sequence=draw(st.integers(0, 3)),
            avoid=draw(st.dictionaries(st.sampled_from(players), untils, max_size=3)),
        )
        for index in range(size)
    ]


@settings(max_examples=200, deadline=None)
@given(pools(), windows, st.integers(0, 99))
def test_the_shelves_give_the_pairs_of_the_quadratic_definition(
    pool: list[WaitingTicket], window: Window, seed: int
) -> None:
    policy = Policy(window, lifetime=None)
    shuffled = random.Random(seed).sample(pool, len(pool))

    made = plan_tick(shuffled, policy, NOW, random.Random(seed))

    assert pairs(made) == quadratic(pool, policy, NOW)


@settings(max_examples=80, deadline=None)
@given(pools(), st.integers(0, 99))
def test_every_ticket_ends_in_exactly_one_place_and_every_window_is_respected(
    pool: list[WaitingTicket], seed: int
) -> None:
    made = plan_tick(pool, Policy(QUICK.window, lifetime=20.0), NOW, random.Random(seed))

    places = [*(one for pair in made.proposals for one in pair.tickets), *(gone.ticket for gone in made.expired)]
    places += [*made.broken, *made.waiting_reasons]
    assert sorted(places) == sorted(one.id for one in pool)
    for proposal in made.proposals:
        assert all(proposal.gap <= proposal.windows[one] for one in proposal.tickets)


def test_the_closest_acceptable_opponent_wins_and_the_older_among_equals() -> None:
    made = plan(ticket("a", 1500, 20), ticket("far", 1540, 9), ticket("young", 1490, 1), ticket("old", 1510, 5))

    assert pairs(made) == [{"a", "old"}, {"far", "young"}]


def test_equal_join_times_are_ordered_by_the_pools_counter() -> None:
    made = plan(ticket("x", 1500, 9, sequence=2), ticket("y", 1500, 9, sequence=3), ticket("z", 1500, 9, sequence=1))

    assert pairs(made) == [{"z", "x"}]
    assert list(made.waiting_reasons) == ["y"]


def test_case_17_a_broken_ticket_is_set_apart_and_the_other_199_are_matched() -> None:
    others = [ticket(f"t{index}", 1500.0 + index % 7, 10 + index) for index in range(198)]
    broken = [ticket("nan", math.nan, 500), ticket("endless", math.inf, 5), WaitingTicket("empty", (), NOW)]

    made = plan(*others, *broken, policy=FOREVER)

    assert made.broken == {"nan": "no_rating", "endless": "no_rating", "empty": "no_members"}
    assert len(made.proposals) == 99


def test_case_27_a_gap_above_the_cap_never_matches_and_both_expire() -> None:
    a, b = ticket("a", 1000, 0), ticket("b", 200, 0)

    searching = [plan(a, b, now=NOW + second) for second in range(300)]
    end = plan(a, b, now=NOW + 300)

    assert all(not made.proposals and not made.expired for made in searching)
    assert [gone.ticket for gone in end.expired] == ["a", "b"]


def test_case_29_the_newcomers_own_window_decides() -> None:
    a, b = ticket("a", 1500, 40), ticket("b", 1800, 2)

    met = [second for second in range(12) if plan(a, b, now=NOW + second).proposals]

    assert plan(a, b).waiting_reasons["a"] == "their_window"
    assert met[0] == 8, "b's own window reaches 300 points at an age of 10 seconds"


def test_case_31_the_longest_waiting_is_matched_whatever_the_order_of_insertion() -> None:
    five = [ticket(f"t{waited}", 1500, waited) for waited in (100, 30, 20, 10, 5)]
    dice = random.Random(3)

    plans = [pairs(plan(*dice.sample(five, 5), seed=seed)) for seed in range(1000)]

    assert all(found == [{"t100", "t30"}, {"t20", "t10"}] for found in plans)


def test_case_69_nobody_is_dropped_by_a_fetch_limit_among_12000() -> None:
    dice = random.Random(9)
    crowd = [ticket(f"t{index}", float(dice.randrange(800, 2200)), dice.uniform(0, 60)) for index in range(12_000)]

    made = plan(*crowd)

    assert 2 * len(made.proposals) + len(made.waiting_reasons) == 12_000
    assert len(made.proposals) > 5_900
    assert made.looked_at < 12_000 * 12, "the look outward is short, not a walk over the pool"


def test_the_oldest_unmatched_ticket_is_told_why() -> None:
    assert plan(ticket("a", 1500, 1)).waiting_reasons == {"a": "alone"}
    assert plan(ticket("a", 1500, 1), ticket("b", 2000, 0)).waiting_reasons["a"] == "window"
    hold = {"player of b": NOW + 60}
    assert plan(ticket("a", 1500, 1, avoid=hold), ticket("b", 1500, 0)).waiting_reasons["a"] == "avoid"


def test_a_ticket_that_came_back_late_keeps_its_least_end() -> None:
    late = WaitingTicket("late", (Seeker("p", 1500.0),), NOW - 310, search_until=NOW + 50)

    assert plan(late).expired == ()
    assert [gone.ticket for gone in plan(late, now=NOW + 50).expired] == ["late"]


def test_the_dice_draw_which_side_comes_first() -> None:
    a, b = ticket("a", 1500, 9), ticket("b", 1500, 1)

    firsts = {plan(a, b, seed=seed).proposals[0].teams[0] for seed in range(20)}

    assert firsts == {("a",), ("b",)}


def test_a_player_who_waits_twice_never_meets_himself() -> None:
    first = WaitingTicket("first", (Seeker("p", 1500.0),), NOW - 9)
    second = WaitingTicket("second", (Seeker("p", 1500.0),), NOW - 5)

    made = plan(first, second, ticket("q", 1510, 1))

    assert made.broken == {"second": "player_waits_twice"}
    assert pairs(made) == [{"first", "q"}]
