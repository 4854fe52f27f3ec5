"""`manage.py replay --queue` and `manage.py fit --queue` as typed."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ratings.models import PlayerRating, ReplayReport
from tests.ladder.world import World
from tests.reports.steps import replayed, some_history

pytestmark = [pytest.mark.django_db, pytest.mark.service]


def run(tmp_path: Path, command: str, *arguments: str) -> tuple[str, Any]:
    out, screen = tmp_path / "out.json", StringIO()
    call_command(command, "--queue", "chess/blitz", "--json", str(out), *arguments, stdout=screen)
    return screen.getvalue(), json.loads(out.read_text(encoding="utf-8"))


def test_a_queue_is_replayed_like_a_file_and_ages_like_the_ledger(world: World, tmp_path: Path) -> None:
    some_history(world)

    screen, out = run(tmp_path, "replay", "--plain", "--model", "glicko2", "--model", "elo@week")

    assert list(out) == ["glicko2", "elo@week"]
    assert out["glicko2"]["matches"] == 54
    assert {"log_loss", "brier", "accuracy", "ece", "seconds", "matches_per_second"} <= set(out["glicko2"])
    table = {row["player"]: row["rating"] for row in out["glicko2"]["standings"]}
    for row in PlayerRating.objects.select_related("player"):
        assert table[row.player.handle] == pytest.approx(row.rating, abs=0.06)
    assert "glicko2" in screen.splitlines()[1]
    assert not ReplayReport.objects.filter(kind="replay").exists()


def test_a_stored_replay_stands_beside_the_ones_of_the_pages(world: World, tmp_path: Path) -> None:
    some_history(world)

    _screen, out = run(tmp_path, "replay", "--store", "--model", "elo")

    report = ReplayReport.objects.get(kind="replay")
    assert (report.state, report.requested_by, list(out)) == ("done", None, ["elo"])
    assert out["elo"]["log_loss"] == report.result["models"][0]["log_loss"]
    assert report.history_digest == replayed(world).history_digest


def test_a_search_over_a_queue_prints_what_it_found(world: World, tmp_path: Path) -> None:
    some_history(world, matches=80)

    screen, (found,) = run(tmp_path, "fit", "--model", "elo", "--only", "k", "--rounds", "5")
    _screen, (stored,) = run(tmp_path, "fit", "--model", "elo", "--only", "k", "--rounds", "5", "--store")

    assert found["parameters"]["k"] != 32.0
    assert stored["parameters"]["k"] == found["parameters"]["k"]
    assert stored["held_out"] == pytest.approx(found["held_out"])
    assert screen.splitlines()[2].startswith("  held_out        32 matches")
    assert ReplayReport.objects.get(kind="fit").state == "done"


def test_an_unknown_queue_is_one_sentence(world: World, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="no queue “chess/bullet”"):
        call_command("replay", "--queue", "chess/bullet", "--model", "elo")


def test_a_file_cannot_be_stored(tmp_path: Path) -> None:
    file = tmp_path / "matches.csv"
    file.write_text("date,team_a,team_b,result\n2020-01-01,a,b,1\n")

    with pytest.raises(CommandError, match="of a --queue"):
        call_command("replay", "--csv", str(file), "--store", "--model", "elo")


def test_a_file_or_a_queue_is_needed_and_not_both(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="one of the arguments --csv --queue is required"):
        call_command("replay", "--model", "elo")
    with pytest.raises(CommandError, match="not allowed with argument"):
        call_command("replay", "--csv", "x.csv", "--queue", "a/b", "--model", "elo")
