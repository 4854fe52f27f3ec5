"""The rank plot: steps, bands, breaks at season resets, dates that do not run into each other, one finding."""

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from ladder.core.plots import NARROW, WIDE, RankPoint, Sheet, Stretch, Tick, TierBand, finding, step_plot, thinned

START = datetime(2026, 4, 3, 18, tzinfo=UTC)
BANDS = [TierBand("Bronze", 0, 0, 300), TierBand("Silver", 1, 300, 600), TierBand("Master", 2, 600, None)]


def points(*positions: int, days: float = 1.0) -> tuple[RankPoint, ...]:
    return tuple(
        RankPoint(START + timedelta(days=days * number), position, f"at {position}")
        for number, position in enumerate(positions)
    )


def test_without_a_rank_there_is_no_plot() -> None:
    assert step_plot([Stretch("Spring", ())], BANDS) is None


def test_each_season_is_a_line_of_its_own_and_a_break_stands_between() -> None:
    plot = step_plot([Stretch("Spring", points(310, 340)), Stretch("Autumn", points(250, 270, 290))], BANDS)

    assert plot is not None
    assert len(plot.lines) == 2
    assert [one.name for one in plot.breaks] == ["Autumn"]


def test_the_line_steps_and_never_slopes() -> None:
    plot = step_plot([Stretch("Spring", points(310, 340, 320))], BANDS)

    assert plot is not None
    assert set(plot.lines[0]) <= set("MHV.0123456789 ")


def test_only_the_tiers_in_sight_are_named() -> None:
    plot = step_plot([Stretch("Spring", points(400, 420))], BANDS)

    assert plot is not None
    assert [band.name for band in plot.bands if band.name] == ["Silver"]


@given(st.lists(st.integers(0, 2500), min_size=1, max_size=300), st.sampled_from([WIDE, NARROW]))
def test_everything_is_drawn_inside_the_sheet(positions: list[int], sheet) -> None:
    plot = step_plot([Stretch("Spring", points(*positions))], BANDS, sheet)

    assert plot is not None
    assert plot.left <= float(plot.end_x) <= plot.right + 0.1
    assert all(plot.top <= float(band.y) <= plot.bottom for band in plot.bands)
    assert plot.top <= float(plot.end_y) <= plot.bottom


@given(st.lists(st.integers(0, 400), min_size=2, max_size=200), st.floats(0.1, 200), st.sampled_from([WIDE, NARROW]))
def test_dates_do_not_run_into_each_other(positions: list[int], days: float, sheet: Sheet) -> None:
    plot = step_plot([Stretch("Spring", points(*positions, days=days))], BANDS, sheet)

    assert plot is not None
    written = [written_between(tick) for tick in plot.ticks]
    assert all(end < begin for (_begin, end), (begin, _end) in pairwise(written))


def written_between(tick: Tick) -> tuple[float, float]:
    """From where to where a date is written, its characters seven wide."""
    width = 7.0 * len(f"{tick.at:%d %b %Y}" if tick.has_year else f"{tick.at:%d %b}")
    begin = float(tick.x) - {"start": 0.0, "middle": width / 2, "end": width}[tick.anchor]
    return begin, begin + width


def test_the_first_date_has_its_year_and_each_that_begins_another_one() -> None:
    plot = step_plot([Stretch("Spring", points(*range(300, 340), days=20))], BANDS)

    assert plot is not None
    told = [tick.at.year for tick in plot.ticks if tick.has_year]
    assert told == sorted(set(told)) == [2026, 2027, 2028]
    assert any(not tick.has_year for tick in plot.ticks)


def test_the_highest_rank_of_the_season_shown_is_marked_where_it_was_reached_first() -> None:
    seasons = [Stretch("Winter", points(900)), Stretch("Spring", points(310, 380, 350, 380, 320))]

    plot = step_plot(seasons, BANDS)

    assert plot is not None
    assert plot.peak is not None
    ends = [float(part) for part in re.findall(r"H([\d.]+)", plot.lines[1])]
    heights = [float(part) for part in re.findall(r"(?:V|M[\d.]+ )([\d.]+)", plot.lines[1])]
    assert (float(plot.peak.x), float(plot.peak.y)) == (ends[1], min(heights))


def test_no_peak_is_marked_where_the_rank_stands_highest_now() -> None:
    plot = step_plot([Stretch("Spring", points(310, 320, 380))], BANDS)

    assert plot is not None
    assert plot.peak is None


def test_a_reset_inside_the_season_breaks_the_line_and_the_peak_before_it_counts() -> None:
    parts = [Stretch("Spring", points(310, 590)), Stretch("reset", points(300, 320))]

    plot = step_plot(parts, BANDS, latest=2)

    assert plot is not None
    assert [one.name for one in plot.breaks] == ["reset"]
    assert plot.peak is not None
    assert float(plot.peak.y) < float(plot.end_y)


@given(st.lists(st.integers(0, 2500), min_size=1, max_size=300), st.sampled_from([WIDE, NARROW]))
def test_the_peak_and_its_name_stand_inside_the_sheet(positions: list[int], sheet: Sheet) -> None:
    plot = step_plot([Stretch("Spring", points(*positions))], BANDS, sheet)

    assert plot is not None
    if plot.peak is not None:
        assert plot.left <= float(plot.peak.x) <= plot.right
        assert plot.top <= float(plot.peak.name_y) <= plot.bottom


@given(st.lists(st.integers(0, 2500), min_size=1, max_size=2000), st.integers(10, 400))
def test_thinning_keeps_the_ends_and_the_extremes(positions: list[int], most: int) -> None:
    kept = [point.position for point in thinned(points(*positions), most)]

    assert len(kept) <= most
    assert (kept[0], kept[-1]) == (positions[0], positions[-1])
    assert (min(kept), max(kept)) == (min(positions), max(positions))


def test_two_divisions_up_is_a_climb_of_two() -> None:
    found = finding(points(310, 330, 505))

    assert (found.kind, found.divisions, found.since) == ("climbed", 2, START)


def test_points_inside_the_top_tier_are_no_divisions() -> None:
    assert finding(points(610, 990), uncapped_from=600).kind == "held"


def test_one_point_is_a_first_rank() -> None:
    assert finding(points(310)).kind == "new"
