"""What staff set about first ratings: a queue's rules, and the club's answers to how well somebody plays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ladder.core.permissions import Capability
from ladder.models import Club, Player, Queue
from ladder.names import clean_text
from ladder.selectors.access import require
from ladder.selectors.newcomers import rules_version, suggested
from ladder.selectors.self_assessments import answers_of, answers_version, members_by_answer
from ladder.services import audit
from ratings.core.assessments import FEWEST_OFFERED, MOST_OFFERED, Answer, Assessments
from ratings.core.prior_rules import PriorRules
from ratings.core.problems import RatingInputError
from ratings.errors import DomainError
from ratings.selectors.prior_basis import prior_basis
from ratings.selectors.transfers import measured


@dataclass(frozen=True, slots=True)
class AnswerWish:
    """One answer as the staff wants it; without a key it is a new one. An empty label stands for the shipped words."""

    label: str
    rating: float
    key: str = ""
    is_offered: bool = True


def set_prior_rules(
    *, queue: Queue, actor: Player, values: Mapping[str, Any], now: datetime, seen: str | None = None
) -> PriorRules:
    """Set where newcomers of a queue start, from the next one on; nobody's rating moves.

    values: fields of PriorRules. seen: the version that the actor saw, where that matters.
    Raises DomainError ("prior_rules", "changed_meanwhile").
    """
    try:
        rules = PriorRules.from_json(values)
    except RatingInputError as error:
        raise DomainError("prior_rules", str(error)) from error
    with transaction.atomic():
        _lock_queue(queue, actor)
        before = prior_basis(queue.pk)
        if seen is not None and seen != rules_version(before):
            raise _changed_meanwhile()
        _write_rules(queue, actor, before.rules, rules, {}, now)
    return rules


def take_measured(*, queue: Queue, actor: Player, seen: Mapping[str, Any], now: datetime) -> PriorRules:
    """Set what is measured on the club's players; `seen` is what the actor was shown, and has to hold still.

    Raises DomainError ("nothing_measured", "changed_meanwhile").
    """
    with transaction.atomic():
        _lock_queue(queue, actor)
        basis = prior_basis(queue.pk)
        found = measured(basis)
        rules = suggested(basis.rules, found)
        if rules is None:
            raise DomainError("nothing_measured", _("Too few players play both, so there is nothing to take over."))
        if rules.to_json() != dict(seen):
            raise _changed_meanwhile()
        players = {"same_game_players": found.same_game_players, "other_game_players": found.other_game_players}
        _write_rules(queue, actor, basis.rules, rules, {"measured_on": players}, now)
    return rules


def _lock_queue(queue: Queue, actor: Player) -> None:
    require(queue.club_id, actor, Capability.MANAGE_QUEUES)
    Queue.objects.select_for_update(no_key=True).get(pk=queue.pk)


def _write_rules(
    queue: Queue, actor: Player, before: PriorRules, rules: PriorRules, more: Mapping[str, Any], now: datetime
) -> None:
    """Write rules that differ, and into the trail which of them changed. Call with the queue locked."""
    if rules == before:
        return
    Queue.objects.filter(pk=queue.pk).update(prior_rules=rules.to_json())
    changed = _differences(before.to_json(), rules.to_json())
    detail = {"queue": queue.name, **changed, **more}
    audit.record(club=queue.club_id, actor=actor, action="queue.newcomers", subject=queue, detail=detail, now=now)


def set_self_assessments(
    *, club: Club, actor: Player, answers: Sequence[AnswerWish], now: datetime, seen: str | None = None
) -> Assessments:
    """Set the answers that one chooses from when joining. What a member chose before keeps its rating for them.

    An answer that is left out is no longer offered, and forgotten if nobody ever gave it. Ratings given already stay.
    Raises DomainError ("self_assessments", "changed_meanwhile").
    """
    with transaction.atomic():
        locked = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
        require(club.pk, actor, Capability.MANAGE_CLUB)
        if seen is not None and seen != answers_version(locked):
            raise _changed_meanwhile()
        before = answers_of(locked)
        after = _checked([*_wished(before, answers), *_left_out(locked, before, answers)])
        if after == before:
            return before
        locked.self_assessments = after.to_json()
        locked.save(update_fields=["self_assessments"])
        detail = _differences(_told(before), _told(after))
        audit.record(club=locked, actor=actor, action="club.self_assessments", subject=locked, detail=detail, now=now)
    return after


def _wished(before: Assessments, answers: Sequence[AnswerWish]) -> list[Answer]:
    """The wishes with their keys: those known stay, a new answer gets the next one of its own."""
    known = {one.key for one in before.answers}
    strange = [wish.key for wish in answers if wish.key and wish.key not in known]
    if strange:
        raise DomainError("self_assessments", _("There is no answer with the key %(key)s.") % {"key": strange[0]})
    wished, number = [], 0
    for wish in answers:
        key = wish.key
        while not key:
            number += 1
            key = "" if f"own-{number}" in known else f"own-{number}"
        wished.append(Answer(key, wish.rating, clean_text(wish.label), wish.is_offered))
    return wished


def _left_out(club: Club, before: Assessments, answers: Sequence[AnswerWish]) -> list[Answer]:
    """Answers that nobody may choose any more, kept for those who did. Call with the club locked."""
    kept = {wish.key for wish in answers}
    given = members_by_answer(club.pk)
    return [
        Answer(one.key, one.rating, one.label, is_offered=False)
        for one in before.answers
        if one.key not in kept and one.key in given
    ]


def _checked(answers: Sequence[Answer]) -> Assessments:
    offered = [one for one in answers if one.is_offered]
    if not FEWEST_OFFERED <= len(offered) <= MOST_OFFERED:
        sentence = ngettext(
            "There have to be %(least)d to %(most)d answers to choose from; this would be %(n)d.",
            "There have to be %(least)d to %(most)d answers to choose from; these would be %(n)d.",
            len(offered),
        )
        numbers = {"least": FEWEST_OFFERED, "most": MOST_OFFERED, "n": len(offered)}
        raise DomainError("self_assessments", sentence % numbers)
    labels = [one.label.casefold() for one in offered if one.label]
    if len(set(labels)) < len(labels):
        raise DomainError("self_assessments", _("Two answers read the same."))
    try:
        return Assessments(tuple(answers))
    except RatingInputError as error:
        raise DomainError("self_assessments", str(error)) from error


def _told(answers: Assessments) -> dict[str, str]:
    """The answers as the trail keeps them, by key."""
    return {
        one.key: f"{one.label or one.key}: {one.rating:g}, {'offered' if one.is_offered else 'not offered'}"
        for one in answers.answers
    }


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """By name what changed: the value before and after, None where there is none."""
    return {
        name: {"before": before.get(name), "after": after.get(name)}
        for name in dict.fromkeys((*before, *after))
        if before.get(name) != after.get(name)
    }


def _changed_meanwhile() -> DomainError:
    return DomainError("changed_meanwhile", _("This changed while you looked at it. Look again, then decide."))
