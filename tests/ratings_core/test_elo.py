"""Elo and FIDE's Elo by the engine's own door."""

from fractions import Fraction

import pytest

from ratings.core import elo_fide
from ratings.core.registry import get_engine
from ratings.core.types import Belief, PeriodGame, PlayerFacts, RatingInputError, Signals


def after(a: float, b: float, ranks: list[int], **parameters: float) -> tuple[float, float]:
    (one,), (other,) = get_engine("elo", parameters).update([[Belief(a)], [Belief(b)]], ranks)
    return one.rating, other.rating


@pytest.mark.parametrize(
    ("a", "b", "ranks", "expected"),
    [
        (1500, 1500, [1, 2], (1516, 1484)),
        (1600, 1200, [1, 2], (1602.9, 1197.1)),
        (1200, 1600, [1, 2], (1229.1, 1570.9)),
        (1600, 1200, [1, 1], (1586.9, 1213.1)),
    ],
)
def test_the_specified_values(a: float, b: float, ranks: list[int], expected: tuple[float, float]) -> None:
    assert after(a, b, ranks) == pytest.approx(expected, abs=0.05)


@pytest.mark.parametrize(("ranks", "expected"), [([1, 2], (1803, 1394)), ([2, 1], (1771, 1458))])
def test_a_provisional_player_moves_by_a_k_of_64(ranks: list[int], expected: tuple[int, int]) -> None:
    engine = get_engine("elo", {"provisional_games": 20})
    signals = Signals(games=[[150], [5]])

    (alice,), (bob,) = engine.update([[Belief(1800)], [Belief(1400)]], ranks, signals=signals)

    assert (round(alice.rating), round(bob.rating)) == expected


def test_a_provisional_k_without_games_is_refused() -> None:
    with pytest.raises(RatingInputError) as refused:
        get_engine("elo", {"provisional_games": 20}).update([[Belief(1800)], [Belief(1400)]], [1, 2])

    assert refused.value.field == "signals.games"


def test_a_team_stands_at_its_average_and_changes_alike() -> None:
    engine = get_engine("elo")

    (alice, bob), (carol, dave) = engine.update([[Belief(1700), Belief(1300)], [Belief(1600), Belief(1400)]], [1, 2])

    assert (alice.rating, bob.rating, carol.rating, dave.rating) == (1716, 1316, 1584, 1384)


@pytest.mark.parametrize("sizes", [(1, 2), (2, 1), (3, 3), (1, 5), (2, 3, 4)])
def test_points_are_conserved_whatever_the_sizes(sizes: tuple[int, ...]) -> None:
    teams = [[Belief(1400 + 37 * i + 91 * j) for j in range(size)] for i, size in enumerate(sizes)]

    new = get_engine("elo").update(teams, list(range(len(sizes))))

    total = sum(one.rating for team in new for one in team)
    assert total == pytest.approx(sum(one.rating for team in teams for one in team))


def test_half_a_match_moves_half_as_far() -> None:
    pair = [[Belief(1500)], [Belief(1500)]]

    (alice,), (bob,) = get_engine("elo").update(pair, [1, 2], weights=[[0.5], [0.5]])

    assert (alice.rating, bob.rating) == (1508, 1492)


def test_drawish_games_have_a_flatter_expectation_and_the_club_scale_stays_ten_to_one() -> None:
    engine = get_engine("elo", {"draw_probability": 0.5})
    strong = engine.from_club(Belief(1900))

    assert engine.expected([[strong], [Belief(1500)]])[0] == pytest.approx(10 / 11)
    assert strong.rating > 1900


def test_a_first_rating_needs_five_games() -> None:
    with pytest.raises(RatingInputError) as refused:
        elo_fide.initial_rating([1500] * 4, 2)

    assert refused.value.field == "opponents"


@pytest.mark.parametrize(("value", "rounded"), [("-5/2", -3), ("5/2", 3), ("-12/5", -2), ("12/5", 2), ("0", 0)])
def test_halves_are_rounded_away_from_zero(value: str, rounded: int) -> None:
    assert elo_fide.away_from_zero(Fraction(value)) == rounded


def test_the_fide_table_adds_up_to_one_at_every_difference() -> None:
    for difference in range(900):
        assert elo_fide.expected_hundredths(difference) + elo_fide.expected_hundredths(-difference) == (
            100 if difference else 2 * 50
        )


def test_2400_once_reached_counts_for_good() -> None:
    assert elo_fide.k_factor(2250, PlayerFacts(games=90, under_18_until_year_end=True, has_reached_2400=True)) == 10
    assert elo_fide.k_factor(1500, PlayerFacts(games=29, has_reached_2400=False)) == 40


def test_a_fide_match_is_a_period_of_one_game() -> None:
    engine = get_engine("elo_fide")
    facts = PlayerFacts(games=12)
    signals = Signals(facts=[[facts], [PlayerFacts(games=80)]])

    (alice,), (bob,) = engine.update([[Belief(1500)], [Belief(1600)]], [1, 2], signals=signals)

    assert alice == engine.rate_period(Belief(1500), [PeriodGame(Belief(1600), 1)], facts)
    assert (alice.rating, bob.rating) == (1526, 1587)


def test_fide_club_scale_maps_there_and_back() -> None:
    engine = get_engine("elo_fide")

    assert engine.from_club(engine.to_club(Belief(1777))).rating == pytest.approx(1777)
    assert engine.to_club(Belief(1500)).rating == 1500
