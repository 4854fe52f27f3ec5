"""Two organizers at once, and a match formed while the model changes: real threads on the real database."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from ladder.services import matches, rating_models
from ladder.services.matches import Seat
from ratings.errors import DomainError, Stale
from ratings.models import Forecast, RatingModel
from tests.harness.threads import run_together
from tests.ladder.world import World
from tests.reports.test_drafts import approved, draft, in_force, replayed

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.race]


def kinds(outcomes: list[Any]) -> list[str]:
    return sorted(type(one).__name__ for one in outcomes)


def test_two_organizers_who_draft_at_once_get_two_versions(shared_world: World) -> None:
    outcomes = run_together(*[lambda: draft(shared_world)] * 4)

    assert sorted(model.version for model in outcomes) == [2, 3, 4, 5]


def test_two_organizers_who_put_one_model_in_force_at_once_do_it_once(shared_world: World) -> None:
    model = approved(shared_world, replayed(shared_world, draft(shared_world)))
    now = shared_world.later(minutes=1)

    outcomes = run_together(
        *(
            lambda actor=actor: rating_models.put_in_force(model=model, actor=actor, revision=model.revision, now=now)
            for actor in (shared_world.otto, shared_world.olga)
        )
    )

    assert kinds(outcomes) == ["DomainError", "InForce"]
    assert in_force(shared_world).version == 2


def test_of_two_models_put_in_force_at_once_both_ranges_stand_side_by_side(shared_world: World) -> None:
    first = approved(shared_world, replayed(shared_world, draft(shared_world)))
    second = approved(shared_world, replayed(shared_world, draft(shared_world, parameters={"tau": 0.9})))
    now = shared_world.later(minutes=1)

    outcomes = run_together(
        *(
            lambda model=model, at=at: rating_models.put_in_force(
                model=model, actor=shared_world.olga, revision=model.revision, now=now + timedelta(seconds=at)
            )
            for at, model in enumerate((first, second))
        )
    )

    refused = [one for one in outcomes if isinstance(one, DomainError)]
    assert [one.code for one in refused] in ([], ["too_early"])
    assert RatingModel.objects.filter(state="in_force").count() == 1
    ranges = RatingModel.objects.filter(valid_during__isnull=False).order_by("valid_during")
    assert ranges[0].valid_during.lower is None
    assert [one.upper for one in ranges.values_list("valid_during", flat=True)][-1] is None


def test_one_edits_while_the_other_approves_and_only_one_of_them_gets_through(shared_world: World) -> None:
    model = replayed(shared_world, draft(shared_world))

    outcomes = run_together(
        lambda: approved(shared_world, model),
        lambda: rating_models.edit_draft(
            model=model,
            actor=shared_world.olga,
            revision=model.revision,
            algorithm="glicko2",
            parameters={"tau": 0.9},
            now=shared_world.now,
        ),
    )

    assert sum(isinstance(one, Stale) for one in outcomes) == 1
    now = RatingModel.objects.get(pk=model.pk)
    assert (now.state, now.parameters["tau"]) in (("approved", 0.3), ("draft", 0.9))


@pytest.mark.parametrize("turn", range(4))
def test_a_match_formed_while_the_model_changes_has_one_model_and_its_beliefs(shared_world: World, turn: int) -> None:
    model = approved(shared_world, replayed(shared_world, draft(shared_world)))
    now = timezone.now()

    outcomes = run_together(
        lambda: rating_models.put_in_force(model=model, actor=shared_world.olga, revision=model.revision, now=now),
        lambda: matches.create(
            queue=shared_world.queue,
            season=shared_world.season,
            seats=[[Seat(shared_world.alice.pk)], [Seat(shared_world.bob.pk)]],
            quality=0.9,
            now=now,
        ),
    )

    assert kinds(outcomes) == ["InForce", "Match"]
    formed = Forecast.objects.get()
    assert formed.rating_model.version in (1, 2)
    after = matches.create(
        queue=shared_world.queue,
        season=shared_world.season,
        seats=[[Seat(shared_world.carol.pk)], [Seat(shared_world.dave.pk)]],
        quality=0.9,
        now=now,
    )
    assert after.forecast.rating_model.version == 2
