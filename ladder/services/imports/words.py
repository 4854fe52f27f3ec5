"""What is wrong with a line, in a sentence."""

from django.utils.translation import gettext as _

from ladder.core.history import BadLine
from ladder.services.settling import problem_in_words

SHOWN = 60


def sentence(bad: BadLine) -> str:
    """The reason why the line cannot be imported."""
    if bad.code in ("unknown_side", "no_draws", "wrong_scores", "score_contradicts"):
        return problem_in_words(bad.code)
    values = {name: _shown(value) for name, value in bad.values.items()}
    return _sentences()[bad.code] % values


def _sentences() -> dict[str, str]:
    return _sentences_of_form() | {
        "bad_date": _("“%(text)s” is no date; write it as 2024-05-31."),
        "future_date": _("%(text)s lies in the future."),
        "missing_name": _("A side has no name."),
        "team_row": _("A side has %(found)s players; this queue is played with %(expected)s a side."),
        "player_twice": _("%(name)s stands twice in this match."),
        "unknown_result": _("“%(text)s” is no result; write 1, 0.5 or 0 for team_a."),
        "margin_contradicts": _("The margin %(text)s is not the difference of the scores."),
        "bad_margin": _("“%(text)s” is no margin; write a number."),
        "bad_neutral": _("“%(text)s” is not what stands under neutral: 1 for neutral ground, else 0."),
        "wrong_shares": _("“%(text)s”: give each member the share played, 0 to 100, in their order, joined by |."),
        "wrong_figures": _("“%(text)s”: give each member a figure or nothing, in their order, joined by |."),
        "nobody_played": _("Nobody of %(text)s played."),
        "long_id": _("An id has at most %(longest)s characters."),
        "same_id": _("This line has the same id (%(id)s) as line %(other)s."),
        "same_line": _("This line repeats line %(other)s. If both were played, import with --allow-repeats."),
        "same_in_other_file": _("This line repeats a line of %(other)s."),
        "bad_name": _("%(name)s: %(reason)s"),
        "looks_like": _("%(name)s looks like %(other)s but is written differently."),
        "several_of_that_name": _("Several members are called %(name)s; write their handle."),
        "older_than_rated": _(
            "This match (%(day)s) is older than one of %(name)s that is rated already (%(last)s). Ratings are built in "
            "order and not rewritten: import the files together, or the older ones first."
        ),
        "season_final": _("%(season)s is closed; its standings are final."),
        "season_not_opened": _("%(season)s, which includes this day, has not been opened."),
    }


def _sentences_of_form() -> dict[str, str]:
    return {
        "empty_file": _("The file is empty."),
        "encoding": _("This is not UTF-8 text."),
        "not_csv": _("This is not a line of comma-separated values: %(detail)s."),
        "missing_columns": _("The first line must name the columns, separated by commas; missing: %(columns)s."),
        "column_twice": _("The first line names a column twice: %(columns)s."),
        "column_count": _("%(found)s values, but the first line names %(expected)s columns."),
    }


def _shown(value: object) -> str:
    text = str(value)
    return text if len(text) <= SHOWN or " " in text else text[:SHOWN] + "…"
