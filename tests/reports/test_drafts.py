"""A rating model's way into force: drafted, replayed, approved by whom the club wants, in force, superseded."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from ladder.models import AuditEntry, OutboxEvent, Player
from ladder.selectors.audit import act_words
from ladder.services import rating, rating_models
from ratings.core.registry import get_engine
from ratings.errors import DomainError, NotAllowed, NotFound, Stale
from ratings.models import Forecast, RatingModel, ReplayReport
from ratings.selectors.models import model_in_force
from ratings.services import model_drafts, reports
from ratings.services.model_drafts import InForce
from tests.ladder.world import World, play, rating_of
from tests.reports.steps import in_force, some_history, work

pytestmark = [pytest.mark.django_db, pytest.mark.service]
STEADY = {"tau": 0.3}


def draft(world: World, author: Player | None = None, parameters: dict[str, Any] | None = None) -> RatingModel:
    return rating_models.create_draft(
        queue=world.queue,
        actor=author or world.olga,
        algorithm="glicko2",
        parameters=STEADY if parameters is None else parameters,
        note="steadier",
        now=world.later(seconds=1),
    )


def replayed(world: World, model: RatingModel) -> RatingModel:
    report = rating_models.replay_model(model=model, actor=world.olga, now=world.later(seconds=1))
    work(report, world.now)
    return RatingModel.objects.get(pk=model.pk)


def approved(world: World, model: RatingModel, by: Player | None = None) -> RatingModel:
    return rating_models.approve(
        model=model, actor=by or world.otto, revision=model.revision, now=world.later(seconds=1)
    )


def put_in_force(world: World, model: RatingModel) -> InForce:
    return rating_models.put_in_force(
        model=model, actor=world.olga, revision=model.revision, now=world.later(seconds=1)
    )


def want_four_eyes(world: World) -> None:
    world.club.four_eyes = True
    world.club.save(update_fields=["four_eyes"])


def test_a_draft_states_every_parameter(world: World) -> None:
    made = draft(world)

    assert (made.version, made.state, made.note, made.author_id) == (2, "draft", "steadier", world.olga.pk)
    assert made.parameters == {**get_engine("glicko2").parameters.as_dict(), "tau": 0.3}
    assert model_in_force(queue_id=world.queue.pk, at=world.now).version == 1


def test_the_whole_way_into_force(world: World) -> None:
    some_history(world, matches=20)

    model = approved(world, replayed(world, draft(world)))
    change = put_in_force(world, model)

    new, old = RatingModel.objects.get(version=2), RatingModel.objects.get(version=1)
    assert (new.state, old.state, change.moved) == ("in_force", "superseded", 0)
    assert new.approved_by_id == world.otto.pk
    assert new.report is not None
    assert [one["label"] for one in new.report.settings["models"]][::2] == ["glicko2 v1", "glicko2 v2"]
    assert old.valid_during is not None
    assert new.valid_during is not None
    assert (old.valid_during.lower, old.valid_during.upper) == (None, world.now)
    assert (new.valid_during.lower, new.valid_during.upper) == (world.now, None)


def test_the_trail_tells_who_drafted_approved_and_changed_the_model(world: World) -> None:
    put_in_force(world, approved(world, replayed(world, draft(world))))

    acts = AuditEntry.objects.filter(action__regex="^(model|replay)").order_by("created_at")

    assert [(act.action, act.actor.handle if act.actor else "") for act in acts] == [
        ("model.drafted", "olga"),
        ("replay.requested", "olga"),
        ("model.approved", "otto"),
        ("model.in_force", "olga"),
    ]
    assert acts[3].detail["instead_of"] == "glicko2 v1"
    assert all(act_words(act.action) != act.action for act in acts)


def test_a_model_that_was_not_replayed_cannot_be_approved(world: World) -> None:
    with pytest.raises(DomainError) as refusal:
        approved(world, draft(world))

    assert refusal.value.code == "not_replayed"


def test_a_model_that_was_not_approved_cannot_come_into_force(world: World) -> None:
    with pytest.raises(DomainError) as refusal:
        put_in_force(world, replayed(world, draft(world)))

    assert refusal.value.code == "not_approved"
    assert in_force(world).version == 1


def test_the_database_itself_refuses_a_model_in_force_without_report_or_approver(world: World) -> None:
    model = replayed(world, draft(world))
    RatingModel.objects.filter(pk=in_force(world).pk).update(state="superseded")

    for missing in ({"approved_by": None}, {"approved_by": world.otto, "report": None}):
        with pytest.raises(IntegrityError, match="in_force_is_replayed_and_approved"), transaction.atomic():
            RatingModel.objects.filter(pk=model.pk).update(
                state="in_force", valid_during=(world.now, None), **{"report": model.report, **missing}
            )


def test_with_four_eyes_the_author_does_not_approve(world: World) -> None:
    want_four_eyes(world)
    model = replayed(world, draft(world, author=world.olga))

    with pytest.raises(DomainError) as refusal:
        approved(world, model, by=world.olga)

    assert refusal.value.code == "four_eyes"
    assert approved(world, model, by=world.otto).state == "approved"


def test_without_four_eyes_one_organizer_does_it_alone(world: World) -> None:
    model = approved(world, replayed(world, draft(world, author=world.olga)), by=world.olga)

    assert put_in_force(world, model).model.approved_by_id == world.olga.pk


def test_four_eyes_that_are_wanted_only_after_the_approval_count_too(world: World) -> None:
    model = approved(world, replayed(world, draft(world, author=world.olga)), by=world.olga)
    want_four_eyes(world)

    with pytest.raises(DomainError) as refusal:
        put_in_force(world, model)

    assert refusal.value.code == "four_eyes"
    assert put_in_force(world, approved(world, model, by=world.otto)).model.version == 2


def test_whoever_changed_a_draft_last_counts_as_its_author(world: World) -> None:
    want_four_eyes(world)
    model = draft(world, author=world.olga)
    edited = edit(world, model, world.otto, {"tau": 0.4})

    with pytest.raises(DomainError, match="somebody else than its author"):
        approved(world, replayed(world, edited), by=world.otto)


def edit(world: World, model: RatingModel, actor: Player, parameters: dict[str, Any], note: str = "") -> RatingModel:
    return rating_models.edit_draft(
        model=model,
        actor=actor,
        revision=model.revision,
        algorithm="glicko2",
        parameters=parameters,
        note=note,
        now=world.later(seconds=1),
    )


@pytest.mark.parametrize("is_approved", [False, True])
def test_a_draft_that_is_edited_after_its_replay_needs_another(world: World, is_approved: bool) -> None:
    model = replayed(world, draft(world))
    model = approved(world, model) if is_approved else model

    edited = edit(world, model, world.olga, {"tau": 0.9})

    assert (edited.state, edited.report, edited.approved_by, edited.approved_at) == ("draft", None, None, None)
    with pytest.raises(DomainError, match="Replay this model"):
        approved(world, edited)


def test_another_note_leaves_replay_and_approval_standing(world: World) -> None:
    model = approved(world, replayed(world, draft(world)))

    edited = edit(world, model, world.olga, STEADY, note="in other words")

    assert (edited.state, edited.note) == ("approved", "in other words")
    assert put_in_force(world, edited).model.version == 2


def test_a_replay_of_what_a_draft_was_before_it_was_edited_counts_for_nothing(world: World) -> None:
    model = draft(world)
    report = rating_models.replay_model(model=model, actor=world.olga, now=world.now)
    edit(world, model, world.olga, {"tau": 0.9})

    work(report, world.now)

    after = RatingModel.objects.get(pk=model.pk)
    assert (after.state, after.report) == ("draft", None)


@pytest.mark.parametrize("end", ["cancel", "fail"])
def test_a_replay_that_did_not_end_well_counts_for_nothing(world: World, end: str) -> None:
    model = draft(world)
    report = rating_models.replay_model(model=model, actor=world.olga, now=world.now)
    if end == "cancel":
        rating_models.cancel(report=report, actor=world.olga, now=world.later(seconds=1))
    else:
        report.parts.update(task={})
    work(report, world.now)

    assert ReplayReport.objects.get(pk=report.pk).state == {"cancel": "cancelled", "fail": "failed"}[end]
    assert RatingModel.objects.get(pk=model.pk).state == "draft"


def test_nobody_approves_what_they_did_not_see(world: World) -> None:
    seen = replayed(world, draft(world))
    replayed(world, edit(world, seen, world.olga, {"tau": 0.9}))

    with pytest.raises(Stale):
        approved(world, seen)


@pytest.mark.parametrize("step", ["edit", "approve", "discard", "put_in_force"])
def test_a_model_that_is_or_was_in_force_is_never_changed(world: World, step: str) -> None:
    model = in_force(world)
    steps = {
        "edit": lambda: edit(world, model, world.olga, STEADY),
        "approve": lambda: approved(world, model),
        "put_in_force": lambda: put_in_force(world, model),
        "discard": lambda: rating_models.discard_draft(
            model=model, actor=world.olga, revision=model.revision, now=world.now
        ),
    }

    with pytest.raises(DomainError, match="in force and cannot be changed"):
        steps[step]()


def test_a_draft_can_be_thrown_away_and_its_report_stays(world: World) -> None:
    model = replayed(world, draft(world))

    rating_models.discard_draft(model=model, actor=world.olga, revision=model.revision, now=world.now)

    assert not RatingModel.objects.filter(pk=model.pk).exists()
    assert ReplayReport.objects.filter(pk=model.report_id, state="done").exists()
    with pytest.raises(NotFound):
        approved(world, model)


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"algorithm": "ouija"}, "bad_parameter"),
        ({"parameters": {"tau": 99}}, "bad_parameter"),
        ({"parameters": {"taus": 0.5}}, "bad_parameter"),
        ({"period": "decade"}, "bad_period"),
        ({"algorithm": "weng_lin", "parameters": {}, "period": "week"}, "bad_period"),
        ({"note": "x" * 301}, "note_length"),
    ],
)
def test_a_draft_that_could_not_rate_is_refused_and_leaves_nothing(
    world: World, wish: dict[str, Any], code: str
) -> None:
    whole = {"algorithm": "glicko2", "parameters": STEADY, **wish}

    with pytest.raises(DomainError) as refusal:
        rating_models.create_draft(queue=world.queue, actor=world.olga, now=world.now, **whole)

    assert refusal.value.code == code
    assert RatingModel.objects.filter(queue=world.queue).count() == 1


def test_rating_periods_are_for_queues_of_one_against_one(world: World) -> None:
    world.queue.team_size = 2
    world.queue.save()

    with pytest.raises(DomainError, match="one against one"):
        rating_models.create_draft(
            queue=world.queue, actor=world.olga, algorithm="glicko2", parameters={}, period="week", now=world.now
        )


@pytest.mark.parametrize("who", ["maud", "alice", "stranger"])
def test_only_organizers_and_owners_change_models(world: World, who: str) -> None:
    model = replayed(world, draft(world))
    actor = getattr(world, who)
    doors = [
        lambda: draft(world, author=actor),
        lambda: edit(world, model, actor, {}),
        lambda: approved(world, model, by=actor),
        lambda: rating_models.put_in_force(model=model, actor=actor, revision=model.revision, now=world.now),
        lambda: rating_models.discard_draft(model=model, actor=actor, revision=model.revision, now=world.now),
        lambda: rating_models.replay_model(model=model, actor=actor, now=world.now),
        lambda: rating_models.fit(queue=world.queue, actor=actor, start=reports.choice_of(model), now=world.now),
        lambda: rating_models.cancel(report=model.report, actor=actor, now=world.now),
    ]

    for door in doors:
        with pytest.raises((NotAllowed, NotFound)):
            door()
    assert RatingModel.objects.get(pk=model.pk).revision == model.revision


def test_a_model_that_is_unknown_is_not_found(world: World) -> None:
    with pytest.raises(NotFound):
        model_drafts.approve(model_id=uuid4(), revision=0, approver=world.otto.pk, four_eyes=False, now=world.now)


def test_the_next_match_is_formed_with_the_new_model_and_one_in_flight_keeps_its_own(world: World) -> None:
    some_history(world, matches=20)
    model = approved(world, replayed(world, draft(world)))
    in_flight = world.match(world.alice, world.bob)

    put_in_force(world, model)
    later = world.match(world.carol, world.dave)

    assert Forecast.objects.get(match=in_flight).rating_model.version == 1
    assert Forecast.objects.get(match=later).rating_model.version == 2


def test_a_match_in_flight_is_rated_by_the_model_it_was_formed_with(world: World) -> None:
    model = approved(world, replayed(world, draft(world)))
    match = play(world, world.alice, world.bob)

    put_in_force(world, model)
    rating.rate_match(match_id=match.pk, now=world.later(seconds=1))

    event = rating_of(world, world.alice).events.get(kind="match")
    assert event.rating_model is not None
    assert event.rating_model.version == 1


def test_waiting_tickets_are_told_once(world: World) -> None:
    change = put_in_force(world, approved(world, replayed(world, draft(world))))

    told = OutboxEvent.objects.get(kind="model.changed")

    assert (told.key, told.payload) == (str(change.model.pk), {"queue": str(world.queue.pk)})


def test_two_changes_at_one_moment_are_refused(world: World) -> None:
    first = approved(world, replayed(world, draft(world)))
    second = approved(world, replayed(world, draft(world, parameters={"tau": 0.8})))
    now = timezone.now() + timedelta(hours=1)
    rating_models.put_in_force(model=first, actor=world.olga, revision=first.revision, now=now)

    with pytest.raises(DomainError) as refusal:
        rating_models.put_in_force(model=second, actor=world.olga, revision=second.revision, now=now)

    assert refusal.value.code == "too_early"
    assert in_force(world).version == 2
