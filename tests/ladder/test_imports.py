"""Importing histories: all or nothing, once, in order, and with a reason for every line left out."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from ladder.models import Match, Membership, Player, Season
from ladder.services import seasons
from ladder.services.imports import ImportReport, Source, import_matches, sentence
from ratings.errors import DomainError, NotAllowed
from ratings.models import PlayerRating, RatingEvent
from tests.ladder.world import World, play, rating_of

pytestmark = pytest.mark.service

HEADER = "date,team_a,team_b,score_a,score_b,result"
ROWS = [
    "2024-01-01,Ann,Ben,3,1,1",
    "2024-01-02,Ben,Cleo,2,2,0.5",
    "2024-01-03,Cleo,Ann,0,2,0",
]


def csv(*rows: str, header: str = HEADER) -> bytes:
    """A file of these rows."""
    return "\n".join([header, *rows, ""]).encode()


def bring(world: World, *files: bytes, **options: bool | Season) -> ImportReport:
    """Import the files as organizer olga."""
    sources = [Source(f"{number}.csv", content) for number, content in enumerate(files, 1)]
    return import_matches(queue=world.queue, actor=world.olga, sources=sources, now=world.now, **options)


def reasons(report: ImportReport) -> list[tuple[int, str]]:
    """Line numbers and sentences."""
    return [(bad.line, sentence(bad)) for bad in report.bad]


def ladder_of(world: World) -> dict[str, tuple[float, int, int]]:
    """Rating, games and wins by name."""
    rows = PlayerRating.objects.filter(queue=world.queue).select_related("player")
    return {row.player.name: (row.rating, row.games, row.wins) for row in rows if row.games}


def test_a_history_becomes_players_matches_and_ratings(world: World) -> None:
    report = bring(world, csv(*ROWS))

    assert (report.written, report.imported, report.new_players) == (True, 3, ("Ann", "Ben", "Cleo"))
    ann = Player.objects.get(display_name="Ann")
    assert (ann.handle, ann.email, ann.has_usable_password()) == ("ann", None, False)
    assert ladder_of(world)["Ann"][1:] == (2, 2)
    first = Match.objects.order_by("id")[0]
    assert (first.state, first.source, first.completed_at) == (
        "completed",
        "import",
        datetime(2024, 1, 1, 11, tzinfo=UTC),
    )
    assert [(team.rank, team.score) for team in first.teams.all()] == [(1, 3), (2, 1)]


def test_importing_twice_creates_nothing_new_and_a_longer_file_only_its_new_rows(world: World) -> None:
    bring(world, csv(*ROWS))
    before = RatingEvent.objects.count()

    again = bring(world, csv(*ROWS))
    longer = bring(world, csv(*ROWS, "2024-01-04,Ann,Ben,1,0,1"))

    assert (again.imported, again.known) == (0, 3)
    assert (longer.imported, longer.known) == (1, 3)
    assert Match.objects.count() == 4
    assert RatingEvent.objects.count() == before + 2


def test_a_dry_run_writes_nothing(world: World) -> None:
    report = bring(world, csv(*ROWS), dry_run=True)

    assert (report.written, report.imported, len(report.new_players)) == (False, 3, 3)
    assert not Match.objects.exists()
    assert not Player.objects.filter(display_name="Ann").exists()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("2024-02-30,Ann,Ben,1,0,1", "is no date"),
        ("30.01.2024,Ann,Ben,1,0,1", "is no date"),
        ("2031-01-01,Ann,Ben,1,0,1", "future"),
        ("2024-01-05,Ann,Ben,1,0,win", "is no result"),
        ("2024-01-05,Ann,Ben,1,0,0", "The score says otherwise"),
        ("2024-01-05,Ann,Ben,1,,1", "Give each side a score"),
        ("2024-01-05,Ann,Ben,-1,0,0", "Give each side a score"),
        ("2024-01-05,Ann,Ann,1,0,1", "stands twice"),
        ("2024-01-05,Ann,,1,0,1", "has no name"),
        ("2024-01-05,Ann,Ben,1,0", "5 values"),
        ("2024-01-05,Ann,Ben,1,0,1,7", "7 values"),
        ("2024-01-05,Ann|Ben,Cleo|Dan,1,0,1", "2 players; this queue is played with 1"),
        ("2024-01-01,Ann,Ben,3,1,1", "repeats line 2"),
        ("2024-01-05,A\u200bnn,Ben,1,0,1", "invisible"),
        ("2024-01-05,\u0410nn,Ben,1,0,1", "alphabets"),
        ("2024-01-05,ann,Ben,1,0,1", "looks like Ann"),
        ('2024-01-05,"Ann,Ben,1,0,1', "comma-separated"),
    ],
)
def test_a_bad_line_is_named_with_its_reason_and_nothing_is_imported(world: World, line: str, words: str) -> None:
    report = bring(world, csv(*ROWS, line))

    [(number, reason)] = reasons(report)
    assert number == 5
    assert words in reason
    assert not report.written
    assert not Match.objects.exists()
    assert not Membership.objects.filter(player__display_name="Ann").exists()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"\n\n", "empty"),
        (b"date,team_a,result\n2024-01-01,Ann,1\n", "missing: team_b"),
        (b"date;team_a;team_b;result\n", "separated by commas"),
        (b"date,date,team_a,team_b,result\n", "twice"),
        ("date,team_a,team_b,result\n".encode("utf-16"), "UTF-8"),
    ],
)
def test_a_file_without_a_usable_first_line_is_one_bad_line(world: World, content: bytes, words: str) -> None:
    [(_line, reason)] = reasons(bring(world, content))

    assert words in reason


def test_a_line_in_another_encoding_is_bad_and_the_others_are_not(world: World) -> None:
    report = bring(world, csv(*ROWS) + b"2024-01-04,J\xfcrgen,Ben,1,0,1\n", skip_bad=True)

    assert [line for line, _reason in reasons(report)] == [5]
    assert (report.written, report.imported) == (True, 3)


def test_a_draw_of_the_past_comes_in_and_is_counted_where_the_report_form_offers_none(world: World) -> None:
    world.queue.draws_allowed = False
    world.queue.save()

    report = bring(world, csv(*ROWS))

    assert (report.imported, report.draws, report.bad) == (3, 1, ())


def test_skipping_bad_lines_imports_the_good_ones_and_no_player_of_a_bad_one(world: World) -> None:
    report = bring(world, csv(ROWS[0], "2024-01-05,Zoe,Yan,1,0,0", *ROWS[1:]), skip_bad=True)

    assert (report.written, report.imported, len(report.bad)) == (True, 3, 1)
    assert not Player.objects.filter(display_name="Zoe").exists()


def test_B11_a_known_id_is_passed_over_and_the_later_ones_are_rated(world: World) -> None:
    header = "id," + HEADER
    bring(world, csv("g1," + ROWS[0], header=header))

    report = bring(world, csv("g1," + ROWS[0], "g2," + ROWS[1], "g3," + ROWS[2], header=header))

    assert (report.imported, report.known) == (2, 1)
    assert Match.objects.filter(rated_at__isnull=False).count() == 3


def test_B131_one_id_on_two_lines_names_both_and_writes_nothing(world: World) -> None:
    report = bring(world, csv("g1," + ROWS[0], "g2," + ROWS[1], "g1," + ROWS[2], header="id," + HEADER))

    assert reasons(report) == [
        (2, "This line has the same id (g1) as line 4."),
        (4, "This line has the same id (g1) as line 2."),
    ]
    assert not Match.objects.exists()


def test_equal_lines_are_several_matches_when_the_operator_says_so(world: World) -> None:
    report = bring(world, csv(ROWS[0], ROWS[0]), allow_repeats=True)
    again = bring(world, csv(ROWS[0], ROWS[0]), allow_repeats=True)

    assert (report.imported, again.imported, again.known) == (2, 0, 2)


def test_the_same_pair_twice_on_one_day_are_two_matches(world: World) -> None:
    report = bring(world, csv("1974-02-17,Tahiti,New Caledonia,2,1,1", "1974-02-17,Tahiti,New Caledonia,2,2,0.5"))

    assert report.imported == 2


def test_B15_rounds_given_in_the_order_3_1_2_end_like_1_2_3(world: World) -> None:
    rounds = [csv(row) for row in ROWS]
    bring(world, rounds[2], rounds[0], rounds[1])
    mixed = ladder_of(world)

    other = second_queue(world)
    bring(other, csv(*(row.replace("Ann", "Ann2").replace("Ben", "Ben2").replace("Cleo", "Cleo2") for row in ROWS)))

    assert mixed == {name.removesuffix("2"): numbers for name, numbers in ladder_of(other).items()}


def test_B15_an_older_round_after_a_newer_one_is_refused_with_the_way_out(world: World) -> None:
    bring(world, csv(ROWS[2]))

    report = bring(world, csv(ROWS[0]))

    [(line, reason)] = reasons(report)
    assert line == 2
    assert "older than one of Ann that is rated already (2024-01-03)" in reason
    assert "import the files together" in reason
    assert Match.objects.count() == 1


def test_inside_a_file_its_order_counts_even_against_the_dates(world: World) -> None:
    report = bring(world, csv(ROWS[2], ROWS[0], ROWS[1]))

    assert report.out_of_order == 1
    matches = list(Match.objects.order_by("completed_at", "id").values_list("formed_at__day", flat=True))
    assert matches == [3, 1, 2]
    standing = PlayerRating.objects.get(player__display_name="Ann")
    days = standing.events.filter(kind="match").order_by("seq").values_list("match__formed_at__day", flat=True)
    assert list(days) == [3, 1]


def test_two_files_that_hold_one_row_are_told(world: World) -> None:
    report = bring(world, csv(*ROWS), csv(ROWS[1]))

    assert reasons(report) == [(2, "This line repeats a line of 1.csv.")]


def test_rows_of_a_season_go_there_and_others_to_the_open_one(world: World) -> None:
    season_of_2023(world)

    report = bring(world, csv("2023-06-01,Ann,Ben,1,0,1", *ROWS))

    assert (report.seasons, report.outside) == ({"2023": 1, "Spring": 3}, 3)


def test_the_final_standings_of_a_closed_season_stay_as_they_are(world: World) -> None:
    season_of_2023(world)
    bring(world, csv("2023-06-01,Ann,Ben,1,0,1"))

    report = bring(world, csv("2023-06-02,Ann,Ben,1,0,1"))

    assert reasons(report) == [(2, "2023 is closed; its standings are final.")]


def test_a_named_season_takes_every_row(world: World) -> None:
    old = season_of_2023(world)

    assert bring(world, csv(*ROWS), season=old).seasons == {"2023": 3}


def test_without_an_open_season_the_refusal_says_so(world: World) -> None:
    seasons.close_season(season=world.season, actor=world.olga, now=world.later(days=1))

    with pytest.raises(DomainError, match="No season is open"):
        bring(world, csv(*ROWS))


def test_names_of_members_are_those_members(world: World) -> None:
    play(world, world.alice, world.bob)
    world.later(days=2)

    report = bring(world, csv("2030-03-02,alice,Newcomer,1,0,1"))

    assert report.new_players == ("Newcomer",)
    assert Match.objects.filter(participants__player=world.alice).count() == 2


def test_a_taken_handle_is_numbered_and_nobody_elses_account_is_taken_over(world: World) -> None:
    report = bring(world, csv("2024-01-01,Stranger,Ben,1,0,1"))

    assert report.new_players == ("Stranger", "Ben")
    assert Player.objects.get(display_name="Stranger").handle == "stranger-2"
    assert not Membership.objects.filter(player=world.stranger).exists()


def test_B119_a_hostile_name_is_stored_as_it_is(world: World) -> None:
    name = "<img src=x onerror=alert(1)>"

    bring(world, csv(f"2024-01-01,{name},Ben,1,0,1"))

    assert Player.objects.get(display_name=name).handle == "img-src-x-onerror-alert-1"


def test_only_who_may_import_imports(world: World) -> None:
    for somebody in (world.maud, world.alice):
        with pytest.raises(NotAllowed):
            import_matches(queue=world.queue, actor=somebody, sources=[Source("x", csv(*ROWS))], now=world.now)


def test_play_goes_on_after_an_import_in_one_chain(world: World) -> None:
    from ladder.services import rating

    bring(world, csv("2024-01-01,alice,bob,1,0,1"))
    match = play(world, world.alice, world.bob)

    assert rating.rate_match(match_id=match.pk, now=world.now)
    assert rating_of(world, world.alice).wins == 2


def season_of_2023(world: World) -> Season:
    """A closed season in which nothing was played."""
    start = datetime(2023, 1, 1, tzinfo=UTC)
    seasons.close_season(season=world.season, actor=world.olga, now=world.now + timedelta(days=1))
    season = seasons.create_season(
        club=world.club,
        actor=world.olga,
        name="2023",
        slug="2023",
        queues=[world.queue],
        starts_at=start,
        ends_at=start + timedelta(days=365),
        now=start,
    )
    seasons.open_season(season=season, actor=world.olga, now=start)
    seasons.close_season(season=season, actor=world.olga, now=start + timedelta(days=365))
    again = seasons.create_season(
        club=world.club,
        actor=world.olga,
        name="Spring",
        slug="spring-2",
        queues=[world.queue],
        starts_at=world.now + timedelta(days=1),
        ends_at=None,
        now=world.now,
    )
    seasons.open_season(season=again, actor=world.olga, now=world.later(days=2))
    return season


def second_queue(world: World) -> World:
    """The same club with a queue and season that nobody has played."""
    from dataclasses import replace

    from ladder.services import queues

    queue = queues.create_queue(
        club=world.club, actor=world.olga, name="B", slug="b", game_name="Chess", draws_allowed=True, now=world.now
    )
    seasons.add_queue(season=world.season, queue=queue, actor=world.olga, now=world.now)
    return replace(world, queue=queue)
