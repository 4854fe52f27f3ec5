"""How well do you play? A club's answers in words, for the door, for the staff, and in one's own data."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count
from django.utils.translation import gettext_lazy as _

from ladder.core.versions import version_of
from ladder.models import Club, Membership
from ratings.core.assessments import Answer, Assessments

SHIPPED_WORDS = {
    "novice": _("New to it: I know the rules, or am learning them"),
    "casual": _("I play now and then, with friends or family"),
    "club": _("I play often and know how to win a game"),
    "expert": _("I am among the best wherever I play"),
}


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One answer for the staff: its words, its rating, and how many members gave it."""

    key: str
    words: str
    rating: float
    is_offered: bool
    members: int


def answers_of(club: Club) -> Assessments:
    """The club's answers."""
    return Assessments.from_json(club.self_assessments)


def answer_words(answer: Answer) -> str:
    """What players read: the club's own words, or the shipped ones in the reader's language."""
    return answer.label or str(SHIPPED_WORDS[answer.key])


def offered_answers(club: Club) -> list[tuple[str, str]]:
    """What a newcomer may choose, the weakest first: key and words. Ratings stay with the staff."""
    return [(answer.key, answer_words(answer)) for answer in answers_of(club).offered]


def chosen_words(club: Club, key: str) -> str:
    """What somebody answered, in words; empty for no answer."""
    answer = answers_of(club).find(key)
    return key if answer is None else answer_words(answer)


def answer_rows(club: Club) -> tuple[AnswerRow, ...]:
    """Every answer, the weakest first, those no longer offered at the end; one query."""
    counts = members_by_answer(club.pk)
    rows = [
        AnswerRow(one.key, answer_words(one), one.rating, one.is_offered, counts.get(one.key, 0))
        for one in answers_of(club).answers
    ]
    return tuple(sorted(rows, key=lambda row: not row.is_offered))


def members_by_answer(club_id: UUID) -> dict[str, int]:
    """How many of those who are or were members gave each answer."""
    rows = Membership.objects.filter(club_id=club_id).exclude(self_assessment="")
    return dict(rows.values_list("self_assessment").annotate(members=Count("id")).order_by())


def answers_version(club: Club) -> str:
    """A word for the answers as they are stored."""
    return version_of(club.self_assessments)
