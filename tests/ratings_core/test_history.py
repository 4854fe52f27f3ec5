"""Reading recorded matches."""

import math
import os
from pathlib import Path

import pytest

from ratings.core.history import NOBODY, Chunk, CsvHistory, Recorded
from ratings.core.problems import RatingInputError

TWO = "date,team_a,team_b,score_a,score_b,result,margin,event"
MANY = "date,event,teams,ranks"


def read(tmp_path: Path, *lines: str) -> list[Recorded]:
    file = tmp_path / "history.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return list(CsvHistory(file).matches())


def test_two_sides_are_read_with_the_first_side_at_home(tmp_path: Path) -> None:
    (match,) = read(tmp_path, TWO, "2017-03-01,alice|bob,carol,3,1,1,2,cup")

    assert [[one.player for one in team] for team in match.teams] == [[0, 1], [2]]
    assert (match.ranks, match.side, match.margin) == ((0.0, 1.0), 0, 2.0)
    assert match.day == 736389


def test_neutral_ground_shares_played_and_figures_are_read(tmp_path: Path) -> None:
    header = TWO + ",neutral,played_a,played_b,perf_a,perf_b"

    (match,) = read(tmp_path, header, "2017-03-01,alice|bob,carol,1,1,0.5,0,cup,1,100|50,100,3.5|,7")

    assert match.side == NOBODY
    assert match.ranks == (0.5, 0.5)
    assert [[one.weight for one in team] for team in match.teams] == [[1.0, 0.5], [1.0]]
    (alice, bob), (carol,) = match.teams
    assert (alice.performance, carol.performance) == (3.5, 7)
    assert math.isnan(bob.performance)


def test_many_sides_are_read(tmp_path: Path) -> None:
    (match,) = read(tmp_path, MANY, "2020-01-01,race,alice|bob;carol;dave,2;1;2")

    assert [[one.player for one in team] for team in match.teams] == [[0, 1], [2], [3]]
    assert (match.ranks, match.side) == ((2.0, 1.0, 2.0), NOBODY)


def test_teams_of_22_and_free_for_alls_of_20_are_read(tmp_path: Path) -> None:
    team = "|".join(f"p{i}" for i in range(22))
    field = ";".join(f"q{i}" for i in range(20))
    places = ";".join(str(i) for i in range(20))

    (match,) = read(tmp_path, TWO, f"2020-01-01,{team},r|s,1,0,1,1,x")
    (race,) = read(tmp_path, MANY, f"2020-01-01,race,{field},{places}")

    assert (len(match.teams[0]), len(race.teams)) == (22, 20)


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        ((TWO, "2017-03-01,alice,alice,1,0,1,1,x"), "row 2"),
        ((TWO, "2017-03-01,alice,bob,1,0,1,1,x", "2017-03-01,alice,bob,1,0,2,1,x"), "row 3"),
        ((TWO, "2017-03-01,alice,,1,0,1,1,x"), "row 2"),
        ((TWO, "someday,alice,bob,1,0,1,1,x"), "row 2"),
        ((TWO, "2017-03-01,alice,bob,1,0,nan,1,x"), "row 2"),
        ((TWO, "2017-03-01,alice"), "row 2"),
        ((TWO + ",played_a", "2017-03-01,alice,bob,1,0,1,1,x,0"), "row 2"),
        ((TWO + ",played_a", "2017-03-01,alice,bob,1,0,1,1,x,120"), "row 2"),
        ((TWO + ",perf_a", "2017-03-01,alice,bob,1,0,1,1,x,inf"), "row 2"),
        ((MANY, "2020-01-01,race,alice;bob,1"), "row 2"),
        ((MANY, "2020-01-01,race,alice,1"), "row 2"),
        ((MANY, "2020-01-01,race,alice;bob,1;nan"), "row 2"),
        ((MANY, "2020-01-01,race,alice;bob;alice,1;2;3"), "row 2"),
        ((TWO, '2017-03-01,"alice,bob,1,0,1,1,x'), "row 2"),
        ((TWO, "2017-03-01,alice,bob,nan,0,,1,x"), "row 2"),
        ((TWO, "2017-03-01,alice,bob,inf,0,,1,x"), "row 2"),
        ((TWO, "2017-03-01,alice,bob,,,,,x"), "row 2"),
        ((TWO, f"2017-03-01,{'a' * 200_000},bob,1,0,1,1,x"), "row 2"),
        ((TWO + ",neutral", "2017-03-01,alice,bob,1,0,1,1,x,maybe"), "row 2"),
        (("name,points", "alice,3"), "columns"),
        (("team_a,team_b,score_a", "alice,bob,3"), "columns"),
        (("team_a,team_a,team_b,result", "alice,carol,bob,1"), "columns"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, lines: tuple[str, ...], named: str) -> None:
    with pytest.raises(RatingInputError) as refused:
        read(tmp_path, *lines)

    assert refused.value.field == named


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ("someday,alice,bob,1,0,1,1,x,", "date: must be written as 2024-05-31, got 'someday'"),
        ("2017-03-01,alice,bob,1,0,won,1,x,", "result: must be a number, got 'won'"),
        ("2017-03-01,alice,bob,1,0,1,far,x,", "margin: must be a number, got 'far'"),
        ("2017-03-01,alice,bob,1,0,1,1,x,half", "played: must be a number, got 'half'"),
        ("2017-03-01,alice|bob,bob,1,0,1,1,x,", "players: 'bob' stands twice, again in team 1"),
        ("2017-03-01,alice", "team_b: is missing"),
    ],
)
def test_what_is_wrong_with_a_row_is_said_by_its_column(tmp_path: Path, cells: str, said: str) -> None:
    with pytest.raises(RatingInputError) as refused:
        read(tmp_path, TWO + ",played_a", cells)

    assert refused.value.message == said


def test_space_around_names_and_empty_lines_do_no_harm(tmp_path: Path) -> None:
    (match,) = read(tmp_path, " date , team_a, team_b , result ", "", " 2017-03-01 , alice , bob , 0.5 ", "")

    assert (match.ranks, match.day) == ((0.5, 0.5), 736389)


def test_neutral_ground_may_be_told_by_true_and_false(tmp_path: Path) -> None:
    rows = [f"2017-03-01,alice,bob,1,0,1,1,x,{told}" for told in ("1", "TRUE", "true", "0", "FALSE", "")]

    sides = [match.side for match in read(tmp_path, TWO + ",neutral", *rows)]

    assert sides == [NOBODY] * 3 + [0] * 3


def test_a_pipe_cannot_be_read_twice_and_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    with pytest.raises(RatingInputError, match="plain file"):
        list(CsvHistory(pipe).matches())


def test_a_chunk_knows_whether_it_holds_duels_only(tmp_path: Path) -> None:
    duel = read(tmp_path, TWO, "2017-03-01,alice,bob,1,0,1,1,x")
    race = read(tmp_path, MANY, "2020-01-01,race,alice;bob;carol,1;2;3")

    assert Chunk.of(duel).duels()
    assert not Chunk.of(race).duels()
    assert not Chunk.of(duel + race).duels()
    assert Chunk.of(duel + race).team_start.tolist() == [0, 2, 5]


def test_ties_are_counted_between_neighbours(tmp_path: Path) -> None:
    file = tmp_path / "history.csv"
    file.write_text(f"{MANY}\n2020-01-01,race,a;b;c,1;2;2\n2020-01-01,duel,a;b,1;1\n2020-01-01,duel,a;b,1;2\n")

    assert CsvHistory(file).tied() == [0.5, 1.0, 0.0]
