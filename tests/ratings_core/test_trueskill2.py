"""TrueSkill 2: nothing at weight 0, better on data made by the model."""

import math
import random

import pytest

from ratings.core.history import NOBODY, Member, Recorded, chunked
from ratings.core.metrics import Tally, judge
from ratings.core.registry import get_engine
from ratings.core.replay import Replay
from ratings.core.trueskill2 import TrueSkill2, TrueSkill2Parameters
from ratings.core.types import Belief, RatingInputError, Signals
from tests.ratings_core.histories import everything

NEW = Belief(25.0, 25 / 3)
PAIR = [[NEW, NEW], [NEW, NEW]]
EVERY_SIGNAL = Signals(
    margin=3.0,
    games=[[0, 3], [40, 7]],
    parties=[[1, 1], [None, None]],
    quits=[[False, True], [False, False]],
    performance=[[5.0, 1.0], [None, 2.0]],
)


def test_all_weights_0_is_trueskill_to_the_last_bit() -> None:
    plain, extended = get_engine("trueskill"), get_engine("trueskill2")
    for chunk in chunked(everything(200, 30), 50):
        one, other = Replay(plain, accelerate=False), Replay(extended, accelerate=False)
        assert one.run(chunk).chances.tolist() == other.run(chunk).chances.tolist()
        assert one.checkpoint()["rating"] == other.checkpoint()["rating"]

    assert plain.update(PAIR, [0, 1], signals=EVERY_SIGNAL) == extended.update(PAIR, [0, 1], signals=EVERY_SIGNAL)


def test_a_newcomer_below_the_own_skill_is_expected_to_lose_and_gains_more_by_winning() -> None:
    engine = get_engine("trueskill2", {"experience_offset": -100})
    signals = Signals(games=[[0], [500]])

    assert engine.expected([[NEW], [NEW]], signals=signals)[0] < 0.45
    plain = get_engine("trueskill").update([[NEW], [NEW]], [0, 1])[0][0]
    assert engine.update([[NEW], [NEW]], [0, 1], signals=signals)[0][0].rating > plain.rating


def test_an_experience_offset_needs_to_know_the_matches_played() -> None:
    with pytest.raises(RatingInputError) as refused:
        get_engine("trueskill2", {"experience_offset": -100}).update(PAIR, [0, 1])

    assert refused.value.field == "signals.games"


def test_leaving_costs_the_stated_points_on_top() -> None:
    engine, plain = get_engine("trueskill2", {"quit_penalty": 25}), get_engine("trueskill2")

    (stayed, left), _ = engine.update(PAIR, [1, 0], signals=EVERY_SIGNAL)
    (also_stayed, would_have), _ = plain.update(PAIR, [1, 0], signals=EVERY_SIGNAL)

    assert stayed == also_stayed
    assert engine.to_club(would_have).rating - engine.to_club(left).rating == pytest.approx(25)


def test_an_individual_figure_moves_at_most_its_cap() -> None:
    engine = get_engine("trueskill2", {"performance_weight": 1.0, "performance_cap": 10})
    plain = get_engine("trueskill2").update(PAIR, [0, 1], signals=EVERY_SIGNAL)

    new = engine.update(PAIR, [0, 1], signals=EVERY_SIGNAL)

    moves = [
        engine.to_club(one).rating - engine.to_club(other).rating
        for team, others in zip(new, plain, strict=True)
        for one, other in zip(team, others, strict=True)
    ]
    assert moves[0] == pytest.approx(10)
    assert moves[1] == pytest.approx(-10)
    assert moves[2] == 0
    assert max(map(abs, moves)) <= 10 + 1e-9


def test_a_change_is_carried_to_another_mode_in_its_share() -> None:
    engine = TrueSkill2(TrueSkill2Parameters(mode_correlation=0.4))

    assert engine.carried(Belief(20.0, 3.0), NEW, Belief(30.0, 7.0)) == Belief(22.0, 3.0)


def made_by_the_model(count: int, seed: int) -> list[Recorded]:
    """2v2: newcomers play 200 points below their skill, parties 60 above it, figures show the skill."""
    rng = random.Random(seed)
    point = 25 / 6 * 1.888 / 400
    skill = [rng.gauss(25, 6) for _ in range(150)]
    games = [0] * 150
    found = []
    for _ in range(count):
        four = rng.sample(range(150), 4)
        together = rng.random() < 0.5
        team = [four[:2], four[2:]]
        sums = []
        for number, pair in enumerate(team):
            lift = sum(-200 * point * math.exp(-games[who] / 30) for who in pair)
            lift += 2 * 60 * point if number == 0 and together else 0.0
            sums.append(sum(skill[who] + rng.gauss(0, 25 / 6) for who in pair) + lift)
        members = tuple(
            tuple(Member(who, performance=skill[who] + rng.gauss(0, 4), party=_party(number, together)) for who in pair)
            for number, pair in enumerate(team)
        )
        found.append(Recorded(teams=members, ranks=(0.0, 1.0) if sums[0] > sums[1] else (1.0, 0.0)))
        for who in four:
            games[who] += 1
    return found


def _party(number: int, together: bool) -> int:
    return 1 if number == 0 and together else NOBODY


def test_on_data_made_by_the_model_it_predicts_better() -> None:
    matches = made_by_the_model(3000, seed=20)
    signals = {"experience_offset": -200, "party_offset": 60, "performance_weight": 0.5, "draw_probability": 0}
    losses = []
    for parameters in ({"draw_probability": 0}, signals):
        replay, tally = Replay(get_engine("trueskill2", parameters), accelerate=False), Tally()
        for chunk in chunked(matches, 500):
            judged = judge(chunk, replay.run(chunk).chances)
            tally.add(judged, judged.decided)
        losses.append(tally.summary()["log_loss"] or 0)

    assert losses[1] < losses[0] - 0.02
