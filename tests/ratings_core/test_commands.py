"""`manage.py replay` and `manage.py golden` as typed."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

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
