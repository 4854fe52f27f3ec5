"""Codes and statements of matches as sentences."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils import formats, timezone
from django.utils.translation import gettext as _

from ladder.core.results import Result
from ladder.models import ResultReport

Kind = ResultReport.Kind


def cancelled_because(code: str) -> str:
    """Why a match was called off."""
    sentences = {
        "voided": _("A moderator decided that this match does not count."),
        "silence": _("One side asked to call it off, and the other did not object in time."),
        "by_agreement": _("Both sides agreed to call it off."),
        "declined": _("A player declined the match, so it did not start."),
        "missed": _("A player did not accept in time, so it did not start."),
        "not_ready": _("Not everybody accepted, so it did not start."),
    }
    return sentences.get(code, _("It did not take place.")) + " " + _("Nobody's rank moved.")


def unrated_because(code: str) -> str:
    """Why a match moves no rank."""
    sentences = {
        "unranked_queue": _("This queue is for fun: its matches move no rank."),
        "uneven_teams": _("The sides were not equal in number, so this match moves no rank."),
    }
    return sentences.get(code, _("This match moves no rank."))


def counts_on(ends_at: datetime, time_zone: str) -> str:
    """When a match moves the ranks that waits for the end of its rating period."""
    return _("Counts on %(day)s, when the rating period ends.") % {"day": club_day(ends_at, time_zone)}


def club_day(moment: datetime, time_zone: str) -> str:
    """The day of a moment by the club's clocks."""
    return formats.date_format(timezone.localtime(moment, ZoneInfo(time_zone)), "j F Y")


def result_in_words(result: Result, sides: Sequence[str]) -> str:
    """Who won and by how much, the winner's score first: "alice won, 3 : 1"."""
    winner = result.winner
    order = sorted(range(len(result.scores)), key=lambda side: (side != winner, side))
    score = " : ".join(str(result.scores[side]) for side in order)
    text = _("a draw") if winner is None else _("%(name)s won") % {"name": sides[winner]}
    return f"{text}, {score}" if score else text


def said_in_words(report: ResultReport, who: str, sides: Sequence[str]) -> str:
    """One statement as a sentence. who: empty for a moderator, the clock or an import."""
    result = ""
    if report.ranks:
        result = result_in_words(Result(ranks=tuple(report.ranks), scores=tuple(report.scores)), sides)
    elif report.kind == Kind.DECISION:
        result = _("it does not count")
    sentence = {
        Kind.REPORT: _("%(who)s reported: %(result)s."),
        Kind.CONFIRM: _("%(who)s confirmed it."),
        Kind.DISPUTE: _("%(who)s objected; a moderator decides."),
        Kind.WITHDRAW: _("%(who)s took that back."),
        Kind.SILENCE: _("Nobody objected in time, so it stands."),
        Kind.DECISION: _("A moderator decided: %(result)s.")
        if result
        else _("A moderator decided: it does not count."),
        Kind.IMPORT: _("Imported: %(result)s."),
        Kind.CANCEL: _("%(who)s asked to call the match off."),
    }[Kind(report.kind)]
    return sentence % {"who": who or _("Somebody"), "result": result}
