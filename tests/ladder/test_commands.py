"""What an operator types."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from ladder.models import Club, Match, Player, Season
from tests.ladder.world import World

pytestmark = pytest.mark.service

GOOD = "date,team_a,team_b,score_a,score_b,result\n2024-01-01,Ann,Ben,3,1,1\n2024-01-02,Ben,Cleo,2,2,0.5\n"


def run(*arguments: str) -> tuple[str, str]:
    """What the command says, and what it complains of."""
    out, err = StringIO(), StringIO()
    call_command(*arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_create_club_starts_from_nothing(db: None) -> None:
    Player.objects.create_user("otto", "otto@example.org", "pw")

    run("create_club", "--name", "Table Tennis", "--slug", "tt", "--owner", "Otto", "--queue", "Singles")

    club = Club.objects.get(slug="tt")
    assert club.queues.get().slug == "singles"
    assert Season.objects.get(club=club).state == Season.State.OPEN


def test_create_club_refuses_in_words_and_leaves_nothing(db: None) -> None:
    Player.objects.create_user("otto", "otto@example.org", "pw")

    with pytest.raises(CommandError, match="no player nobody"):
        run("create_club", "--name", "A", "--owner", "nobody")
    with pytest.raises(CommandError, match="no time zone"):
        run("create_club", "--name", "A", "--owner", "otto", "--time-zone", "Mars")

    assert not Club.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--name", "Harbour", "--slug", "har bour"), "“har bour” is none"),
        (("--name", "Harbour", "--slug", "x" * 51), "1 to 50"),
        (("--name", "Шахматы"), "add --slug"),
        (("--name", "x" * 81, "--slug", "harbour"), "at most 80"),
        (("--name", "Har\u202ebour", "--slug", "harbour"), "invisible"),
        (("--name", "Harbour", "--queue", "x" * 61), "at most 60"),
        (("--name", "Harbour", "--game", " "), "at least one"),
        (("--name", "Harbour", "--season", "x" * 61), "at most 60"),
    ],
)
def test_create_club_refuses_names_and_addresses_that_no_page_could_show(
    db: None, arguments: tuple[str, ...], sentence: str
) -> None:
    Player.objects.create_user("otto", "otto@example.org", "pw")

    with pytest.raises(CommandError, match=sentence):
        run("create_club", *arguments, "--owner", "otto")

    assert not Club.objects.exists()


def test_create_club_makes_addresses_that_fit_from_long_names(db: None) -> None:
    Player.objects.create_user("otto", "otto@example.org", "pw")

    run("create_club", "--name", "n" * 80, "--owner", "otto", "--queue", "q" * 60, "--season", "s" * 60)

    club = Club.objects.get()
    assert {len(slug) for slug in (club.slug, club.queues.get().slug, Season.objects.get().slug)} == {50}


def test_import_tells_what_it_did_and_does_nothing_the_second_time(world: World, tmp_path: Path) -> None:
    file = tmp_path / "history.csv"
    file.write_text(GOOD)

    first, _nothing = run("import_matches", "--queue", "chess/blitz", str(file))
    second, _nothing = run("import_matches", "--queue", "blitz", str(file))

    assert "2 matches imported, 0 known already, 0 bad lines, 3 new players" in first
    assert "0 matches imported, 2 known already" in second
    assert Match.objects.count() == 2


def test_import_names_bad_lines_and_imports_nothing_unless_told_to_skip(world: World, tmp_path: Path) -> None:
    file = tmp_path / "history.csv"
    file.write_text(GOOD + "2024-01-03,Ann,Ben,1,0,0\n")

    with pytest.raises(CommandError, match="Nothing was imported"):
        run("import_matches", "--queue", "blitz", str(file))
    assert not Match.objects.exists()
    out, err = run("import_matches", "--queue", "blitz", str(file), "--skip-bad")

    assert "history.csv, line 4: The score says otherwise" in err
    assert "2 matches imported" in out


def test_a_dry_run_says_what_would_happen(world: World, tmp_path: Path) -> None:
    file = tmp_path / "history.csv"
    file.write_text(GOOD)

    out, _nothing = run("import_matches", "--queue", "blitz", str(file), "--dry-run")

    assert "2 matches would be imported" in out
    assert not Match.objects.exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--queue", "nothing", "FILE"], "no queue nothing"),
        (["--queue", "blitz", "--season", "nothing", "FILE"], "no season nothing"),
        (["--queue", "blitz", "--as", "stranger", "FILE"], "for members of the club"),
        (["--queue", "blitz", "missing.csv"], "Cannot read missing.csv"),
    ],
)
def test_import_refuses_in_words(world: World, tmp_path: Path, arguments: list[str], words: str) -> None:
    file = tmp_path / "history.csv"
    file.write_text(GOOD)

    with pytest.raises(CommandError, match=words):
        run("import_matches", *(str(file) if argument == "FILE" else argument for argument in arguments))
