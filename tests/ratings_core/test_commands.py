"""`manage.py replay` and `manage.py golden` as typed."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ratings.core.golden import run_cases

DATA = Path(__file__).parents[1] / "data"
ROWS = "date,team_a,team_b,score_a,score_b,result,margin,event\n" + "".join(
    f"2020-01-{day:02},alice,bob,{day % 2},0,{(day % 2) or 0.5},{day % 2},cup\n" for day in range(1, 31)
)


def replay(tmp_path: Path, *arguments: str, rows: str = ROWS) -> tuple[str, dict[str, dict[str, object]]]:
    file, out = tmp_path / "matches.csv", tmp_path / "out.json"
    file.write_text(rows, encoding="utf-8")
    screen = StringIO()
    call_command("replay", "--csv", str(file), "--plain", "--json", str(out), *arguments, stdout=screen)
    return screen.getvalue(), json.loads(out.read_text(encoding="utf-8"))


def test_every_model_gets_its_figures(tmp_path: Path) -> None:
    screen, out = replay(tmp_path, "--model", "glicko2", "--model", 'elo:{"k": 16}')

    assert list(out) == ["glicko2", 'elo:{"k": 16}']
    for figures in out.values():
        assert figures["matches"] == 27
        assert {"log_loss", "brier", "accuracy", "ece", "seconds", "matches_per_second"} <= set(figures)
    assert 'elo:{"k": 16}' in screen


def test_a_model_may_rate_by_weeks_or_months(tmp_path: Path) -> None:
    screen, out = replay(tmp_path, "--model", "glicko2", "--model", "glicko2@week", "--model", 'elo@month:{"k": 16}')

    assert [figures["period"] for figures in out.values()] == ["match", "week", "month"]
    assert out["glicko2"]["log_loss"] != out["glicko2@week"]["log_loss"]
    assert "glicko2@week" in screen


def test_a_race_cannot_be_rated_by_weeks(tmp_path: Path) -> None:
    rows = "date,event,teams,ranks\n" + "2020-01-01,race,alice;bob;carol,1;2;3\n" * 20

    with pytest.raises(CommandError, match="period: only matches of one against one"):
        replay(tmp_path, "--model", "elo@week", rows=rows)


def test_a_race_adds_the_share_of_pairs_in_order(tmp_path: Path) -> None:
    rows = "date,event,teams,ranks\n" + "2020-01-01,race,alice;bob;carol,1;2;3\n" * 20

    _, out = replay(tmp_path, "--model", "weng_lin", rows=rows)

    assert out["weng_lin"]["pair_accuracy"] == 1.0


@pytest.mark.parametrize("arguments", [["--model", "elos"], ["--model", "elo:{"], ["--model", 'elo:{"k": -1}']])
def test_a_model_that_cannot_be_read_is_one_sentence(tmp_path: Path, arguments: list[str]) -> None:
    with pytest.raises(CommandError, match=r"name|model|k: must be"):
        replay(tmp_path, *arguments)


def test_a_bad_row_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="row 32"):
        replay(tmp_path, "--model", "elo", rows=ROWS + "2020-02-01,alice,alice,1,0,1,1,cup\n")


def test_golden_ends_with_the_count_and_status_1_on_a_failure(tmp_path: Path) -> None:
    screen = StringIO()
    call_command("golden", str(DATA / "golden-ratings.json"), stdout=screen)
    assert screen.getvalue().splitlines()[-1] == "213 passed, 0 failed"

    case = {"id": "off", "system": "elo", "op": "expected_score", "input": {"rating": 0, "opponent": 0}, "tol": 0}
    (tmp_path / "off.json").write_text(json.dumps({"cases": [{**case, "expect": {"expected": 0.6}}]}))
    with pytest.raises(SystemExit) as ended:
        call_command("golden", str(tmp_path / "off.json"), stdout=screen)
    assert ended.value.code == 1
    assert screen.getvalue().splitlines()[-2:] == [
        "FAILED off: expected: expected 0.6, got 0.5",
        "0 passed, 1 failed",
    ]


def test_a_report_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    file = tmp_path / "none.csv"  # never read

    for out, said in ((tmp_path / "no" / "out.json", "there is no folder"), (tmp_path, "is a folder")):
        for command in ("replay", "fit"):
            with pytest.raises(CommandError, match=said):
                call_command(command, "--csv", str(file), "--model", "elo", "--json", str(out))


def test_a_report_that_is_refused_by_the_disk_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="No space left"):
        replay(tmp_path, "--model", "elo", "--json", "/dev/full")


def test_brackets_without_end_are_no_json(tmp_path: Path) -> None:
    deep = "[" * 200_000

    with pytest.raises(CommandError, match="is not JSON"):
        replay(tmp_path, "--model", f"elo:{deep}")
    (tmp_path / "deep.json").write_text(deep)
    with pytest.raises(CommandError, match=r"deep\.json"):
        call_command("golden", str(tmp_path / "deep.json"))


def test_a_search_has_a_round_at_least(tmp_path: Path) -> None:
    for rounds in ("0", "-1"):
        with pytest.raises(CommandError, match="must be at least 1"):
            call_command("fit", "--csv", str(tmp_path / "none.csv"), "--model", "elo", "--rounds", rounds)


def test_golden_reads_what_a_windows_editor_saved(tmp_path: Path) -> None:
    file, screen = tmp_path / "bom.json", StringIO()
    file.write_text((DATA / "golden-ratings.json").read_text(encoding="utf-8"), encoding="utf-8-sig")

    call_command("golden", str(file), stdout=screen)

    assert screen.getvalue().splitlines()[-1] == "213 passed, 0 failed"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [({"expect": {}}, "expects nothing"), ({"input": {"ranks": [0, 1, 2]}}, "ranks: must be one per team, 2, got 3")],
)
def test_a_golden_case_that_says_nothing_or_contradicts_itself_has_failed(wrong: dict[str, Any], said: str) -> None:
    given = {"teams": [[[25, 8]], [[25, 8]]], "ranks": [0, 1], "beta": 4, "tau": 0, "draw_probability": 0.1}
    right = {"system": "trueskill", "op": "rate", "input": given, "expect": {"teams": [[[25, 8]], [[25, 8]]]}, "tol": 9}
    (passed,) = run_cases([right])
    (failed,) = run_cases([{**right, **wrong, "input": {**given, **wrong.get("input", {})}}])

    assert passed.passed
    assert said in failed.problem
