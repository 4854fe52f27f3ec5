"""The answers at a club's door: in its own words, taken away without harm to those who gave them."""

from __future__ import annotations

from typing import Any

import pytest

from ladder.models import AuditEntry, Club, Membership, Player, SeasonRules
from ladder.selectors.seasons import rank_rules
from ladder.selectors.self_assessments import answers_version
from ladder.services import clubs, newcomers
from ladder.services.newcomers import AnswerWish
from ratings.core.assessments import Assessments
from ratings.errors import DomainError
from ratings.models import PlayerRating, RatingEvent
from ratings.services.placement import Newcomer, ensure_ratings
from tests.harness.threads import run_together
from tests.ladder.world import World

pytestmark = pytest.mark.service
OWN = (AnswerWish("Plays at home", 900.0), AnswerWish("Plays in the league", 1900.0))


def answers(club: Club) -> Assessments:
    return Assessments.from_json(Club.objects.get(pk=club.pk).self_assessments)


def set_answers(world: World, *wishes: AnswerWish, actor: Player | None = None, **more: Any) -> Assessments:
    return newcomers.set_self_assessments(
        club=world.club, actor=actor or world.olga, answers=wishes, now=world.now, **more
    )


def kept(world: World) -> list[AnswerWish]:
    """The answers as they are, as wishes."""
    return [AnswerWish(one.label, one.rating, one.key, one.is_offered) for one in answers(world.club).answers]


def test_a_club_starts_with_the_four_shipped_answers(world: World) -> None:
    assert [(one.key, one.rating) for one in answers(world.club).offered] == [
        ("novice", 800.0),
        ("casual", 1200.0),
        ("club", 1500.0),
        ("expert", 1800.0),
    ]


def test_own_answers_get_keys_of_their_own_and_place_who_gives_them(world: World) -> None:
    after = set_answers(world, *OWN)
    league = next(one for one in after.offered if one.label == "Plays in the league")

    member = clubs.join_club(club=world.club, player=world.stranger, self_assessment=league.key, now=world.now)
    world.match(world.stranger, world.alice)

    assert member.self_assessment == league.key
    assert PlayerRating.objects.get(player=world.stranger).rating == 1900.0


def test_an_answer_left_out_still_works_for_those_who_gave_it_and_for_nobody_else(world: World) -> None:
    set_answers(world, *OWN)  # everybody here once said "club"

    world.match(world.alice, world.bob)

    assert PlayerRating.objects.get(player=world.alice).rating == 1500.0
    with pytest.raises(DomainError) as refusal:
        clubs.join_club(club=world.club, player=world.stranger, self_assessment="club", now=world.now)
    assert refusal.value.code == "unknown_self_assessment"
    assert not Membership.objects.filter(player=world.stranger).exists()


def test_an_answer_that_nobody_gave_is_forgotten_and_its_key_is_not_used_for_another(world: World) -> None:
    set_answers(world, *OWN)
    clubs.join_club(club=world.club, player=world.stranger, self_assessment="own-1", now=world.now)

    after = set_answers(world, AnswerWish("Never played", 700.0), AnswerWish("Plays in the league", 1900.0, "own-2"))

    assert {one.key: (one.label, one.is_offered) for one in after.answers} == {
        "own-3": ("Never played", True),
        "own-1": ("Plays at home", False),
        "own-2": ("Plays in the league", True),
        "club": ("", False),
    }


def test_somebody_who_comes_back_keeps_an_answer_that_is_no_longer_offered(world: World) -> None:
    clubs.leave_club(club=world.club, player=world.dave, now=world.now)
    set_answers(world, *OWN)

    back = clubs.join_club(club=world.club, player=world.dave, self_assessment="own-2", now=world.now)

    assert back.self_assessment == "club"


def test_an_answer_taken_away_can_be_offered_again(world: World) -> None:
    set_answers(world, *OWN)
    taken = [one if one.key != "club" else AnswerWish(one.label, 1450.0, one.key, True) for one in kept(world)]

    after = set_answers(world, *taken)

    assert [(one.key, one.rating) for one in after.offered] == [("own-1", 900.0), ("club", 1450.0), ("own-2", 1900.0)]


def test_the_trail_tells_which_answers_changed_from_what_to_what(world: World) -> None:
    wishes = [one if one.key != "novice" else AnswerWish("", 850.0, "novice") for one in kept(world)]
    set_answers(world, *wishes)

    entry = AuditEntry.objects.get(action="club.self_assessments")

    assert (entry.actor, entry.detail) == (
        world.olga,
        {"novice": {"before": "novice: 800, offered", "after": "novice: 850, offered"}},
    )


def test_keeping_the_answers_as_they_are_writes_nothing(world: World) -> None:
    set_answers(world, *kept(world))

    assert not AuditEntry.objects.filter(action="club.self_assessments").exists()
    assert Club.objects.get(pk=world.club.pk).self_assessments == []


@pytest.mark.parametrize(
    ("wishes", "words"),
    [
        ([AnswerWish("One", 1500.0)], "There have to be 2 to 8 answers to choose from; this would be 1."),
        ([AnswerWish(f"N{n}", 1500.0) for n in range(9)], "these would be 9"),
        ([AnswerWish("Good", 900.0), AnswerWish("good", 1500.0)], "Two answers read the same."),
        ([AnswerWish("Good", 5.0), AnswerWish("Better", 1500.0)], "must be between 100 and 3000"),
        ([AnswerWish("", 900.0), AnswerWish("Better", 1500.0)], "label: is missing"),
        ([AnswerWish("A", 900.0, "strange"), AnswerWish("Better", 1500.0)], "no answer with the key strange"),
        ([AnswerWish("A\u202eb", 900.0), AnswerWish("Better", 1500.0)], "invisible"),
        ([AnswerWish("x" * 121, 900.0), AnswerWish("Better", 1500.0)], "at most 120 characters"),
    ],
)
def test_unusable_answers_change_nothing(world: World, wishes: list[AnswerWish], words: str) -> None:
    with pytest.raises(DomainError, match=words):
        set_answers(world, *wishes)

    assert Club.objects.get(pk=world.club.pk).self_assessments == []


@pytest.mark.parametrize("name", ["maud", "alice", "stranger"])
def test_only_organizers_change_the_answers(world: World, name: str) -> None:
    with pytest.raises(DomainError):
        set_answers(world, *OWN, actor=getattr(world, name))

    assert Club.objects.get(pk=world.club.pk).self_assessments == []


def test_who_joins_at_once_with_an_answer_being_taken_away_has_one_that_counts(shared_world: World) -> None:
    world = shared_world
    people = [Player.objects.create_user(f"n{number}") for number in range(4)]

    results = run_together(
        *[
            lambda player=player: clubs.join_club(
                club=world.club, player=player, self_assessment="expert", now=world.now
            )
            for player in people
        ],
        lambda: set_answers(world, *OWN),
    )

    assert not isinstance(results[-1], Exception)
    joined = Membership.objects.filter(player__in=people)
    refused = [one for one in results if isinstance(one, DomainError)]
    assert len(joined) + len(refused) == len(people)
    assert {one.code for one in refused} <= {"unknown_self_assessment"}
    known = answers(world.club)
    assert [one for one in joined if known.find(one.self_assessment) is None] == []


def test_of_two_who_change_the_answers_at_once_one_is_asked_to_look_again(shared_world: World) -> None:
    world = shared_world
    seen = answers_version(world.club)

    results = run_together(
        lambda: set_answers(world, *OWN, seen=seen),
        lambda: set_answers(world, *OWN[:1], AnswerWish("Master", 2300.0), actor=world.otto, seen=seen),
    )

    refusals = [one for one in results if isinstance(one, DomainError)]
    assert [one.code for one in refusals] == ["changed_meanwhile"]
    assert AuditEntry.objects.filter(action="club.self_assessments").count() == 1


def test_while_answers_change_everybody_starts_by_the_old_or_by_the_new_ones(shared_world: World) -> None:
    world = shared_world
    people = [Player.objects.create_user(f"n{number}") for number in range(4)]
    rules = rank_rules(SeasonRules.objects.get(queue=world.queue, season=world.season))
    changed = [one if one.key != "expert" else AnswerWish("", 1900.0, "expert") for one in kept(world)]

    def place(player: Player) -> None:
        ensure_ratings(
            queue_id=world.queue.pk,
            season_id=world.season.pk,
            newcomers=[Newcomer(player.pk, "expert")],
            rules=rules,
            now=world.now,
        )

    results = run_together(
        *[lambda player=player: place(player) for player in people], lambda: set_answers(world, *changed)
    )

    assert results[:4] == [None] * 4
    placed = RatingEvent.objects.filter(player_rating__player__in=people)
    told = [(event.rating_after, event.explanation["signals"][0]["mean"]) for event in placed]
    assert set(told) <= {(1800.0, 1800.0), (1900.0, 1900.0)}
    assert len(told) == 4
