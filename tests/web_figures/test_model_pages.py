"""Rating models at the desk: overview, draft form, a model's way into force, every refusal a sentence."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ladder.models import AuditEntry, Club, Match
from ladder.selectors.rating_words import range_words
from ladder.services import clubs, queues, rating_models, results
from ratings.core.registry import engine_names, parameter_schema
from ratings.models import PlayerRating, RatingEvent, RatingModel
from tests.harness.queries import assert_queries
from tests.ladder.world import World, drain_outbox
from tests.reports.steps import in_force, some_history, work
from tests.web_record.stage import signed_in

pytestmark = pytest.mark.django_db


def path(name: str, *args: object, queue: str = "blitz") -> str:
    return reverse(name, args=["chess", queue, *args])


def draft(world: World, algorithm: str = "elo", **parameters: Any) -> RatingModel:
    """A draft by olga."""
    return rating_models.create_draft(
        queue=world.queue, actor=world.olga, algorithm=algorithm, parameters=parameters, now=world.now
    )


def replay(world: World, model: RatingModel) -> RatingModel:
    """The same after its replay was computed."""
    work(rating_models.replay_model(model=model, actor=world.olga, now=world.now), world.now)
    model.refresh_from_db()
    return model


def approved(world: World, model: RatingModel) -> RatingModel:
    """The same, replayed and approved by otto."""
    model = replay(world, model)
    return rating_models.approve(model=model, actor=world.otto, revision=model.revision, now=world.now)


def values(algorithm: str = "elo", **other: object) -> dict[str, object]:
    """A whole form, as the browser sends what it was given."""
    filled: dict[str, object] = {info.name: info.default for info in parameter_schema(algorithm)}
    return {name: value for name, value in {**filled, "period": "match", **other}.items() if value is not False}


def said(answer) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def test_a_club_with_one_queue_goes_straight_to_it(world: World) -> None:
    answer = signed_in(world.olga).get(reverse("desk_ratings", args=["chess"]))

    assert answer.headers["Location"] == path("desk_models")


def test_a_club_without_a_queue_reads_what_to_do_first(world: World) -> None:
    clubs.create_club(name="Go Club", slug="go", time_zone="UTC", owner=world.otto, now=world.now)

    html = signed_in(world.otto).get(reverse("desk_ratings", args=["go"])).content.decode()

    assert "Create a queue first" in html


@pytest.mark.parametrize("more", [1, 40])
def test_the_overview_names_each_queue_s_model_and_costs_the_same_for_many(world: World, more: int) -> None:
    for number in range(more):
        queues.create_queue(
            club=world.club, actor=world.olga, name=f"Q{number}", slug=f"q{number}", game_name="Chess", now=world.now
        )
    draft(world)
    client = signed_in(world.olga)
    client.get(reverse("desk_ratings", args=["chess"]))

    with assert_queries(7, "session, person, membership with club; queues, models, drafts, reports", at_most=True):
        answer = client.get(reverse("desk_ratings", args=["chess"]))

    assert answer.content.decode().count("Version 1, Glicko-2") == more + 1
    assert "1 draft" in said(answer)


def test_a_queue_s_page_tells_what_rates_it_who_drafted_and_what_is_under_way(world: World) -> None:
    some_history(world, matches=20)
    draft(world, k=24.0)
    rating_models.replay_model(model=in_force(world), actor=world.olga, now=world.now)

    text = said(signed_in(world.otto).get(path("desk_models")))

    assert "Version 1, Glicko-2" in text
    assert "came with the app" in text
    assert "Version 2, Elo" in text
    assert "drafted by olga" in text
    assert "waiting 0%" in text


def test_without_drafts_the_page_says_what_the_way_of_a_model_is(world: World) -> None:
    assert "approved, and only then put in force" in said(signed_in(world.olga).get(path("desk_models")))


@pytest.mark.parametrize("count", [1, 60])
def test_the_queue_s_page_costs_the_same_with_many_models_and_reports(world: World, count: int) -> None:
    for _number in range(count):
        draft(world)
    client = signed_in(world.olga)
    client.get(path("desk_models"))

    reason = "session, person, membership with club; queue, models with people, those before, reports"
    with assert_queries(7, reason, at_most=True):
        assert client.get(path("desk_models")).status_code == 200


@pytest.mark.parametrize("algorithm", engine_names())
def test_the_draft_form_has_every_parameter_of_the_engine_with_help_and_range(world: World, algorithm: str) -> None:
    html = signed_in(world.olga).get(path("desk_draft"), {"engine": algorithm}).content.decode()

    for info in parameter_schema(algorithm):
        assert f'name="{info.name}"' in html
        assert f'id="id_{info.name}_helptext"' in html
        assert range_words(info) in html


@pytest.mark.parametrize("algorithm", engine_names())
def test_every_engine_as_shipped_makes_a_draft(world: World, algorithm: str) -> None:
    client = signed_in(world.olga)

    answer = client.post(f"{path('desk_draft')}?engine={algorithm}", values(algorithm, note="To see."), follow=True)

    made = RatingModel.objects.get(queue=world.queue, version=2)
    assert answer.status_code == 200
    assert (made.algorithm, made.note, made.author) == (algorithm, "To see.", world.olga)
    assert made.parameters == {info.name: info.default for info in parameter_schema(algorithm)}


def test_a_draft_begins_with_the_model_in_force_unless_told_otherwise(world: World) -> None:
    client = signed_in(world.olga)
    other = draft(world, k=17.0)

    assert client.get(path("desk_draft")).context["form"].algorithm == "glicko2"
    assert client.get(path("desk_draft"), {"model": other.pk}).context["form"]["k"].value() == 17.0


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("k", "5000", "Please give a number from 0.001 to 1000"),
        ("k", "fast", "Enter a number"),
        ("side_advantage", "-900", "Please give a number from −400 to 400"),
        ("provisional_games", "2.5", "Enter a whole number"),
        ("note", "x" * 301, "at most 300 characters"),
    ],
)
def test_a_bad_value_is_told_at_its_field_and_nothing_is_kept(
    world: World, field: str, value: str, sentence: str
) -> None:
    answer = signed_in(world.olga).post(f"{path('desk_draft')}?engine=elo", values(**{field: value}))

    html = answer.content.decode()
    error = re.search(rf'id="id_{field}_error"[^>]*>(.*?)</ul>', html, re.S)
    assert answer.status_code == 400
    assert error is not None
    assert sentence in error[1]
    assert 'aria-invalid="true"' in html
    assert not RatingModel.objects.filter(version=2).exists()


def test_what_only_shows_side_by_side_is_told_at_the_field_the_engine_names(world: World) -> None:
    wish = values("glicko2", deviation="40", deviation_floor="60")

    answer = signed_in(world.olga).post(f"{path('desk_draft')}?engine=glicko2", wish)

    assert answer.status_code == 400
    assert re.search(r'id="id_deviation[a-z_]*_error"', answer.content.decode())
    assert not RatingModel.objects.filter(version=2).exists()


def test_periods_are_offered_where_the_engine_and_the_queue_can_have_them(world: World) -> None:
    client = signed_in(world.olga)
    teams = queues.create_queue(
        club=world.club,
        actor=world.olga,
        name="Teams",
        slug="teams",
        game_name="Chess",
        team_size=2,
        now=world.now,
    )

    def offers(engine: str, queue: str) -> bool:
        return 'name="period"' in client.get(path("desk_draft", queue=queue), {"engine": engine}).content.decode()

    assert (offers("glicko2", "blitz"), offers("weng_lin", "blitz"), offers("glicko2", teams.slug)) == (
        True,
        False,
        False,
    )
    client.post(f"{path('desk_draft')}?engine=glicko2", values("glicko2", period="week"))
    assert RatingModel.objects.get(queue=world.queue, version=2).period == "week"


@pytest.mark.parametrize("wish", ["engine=ouija", "model={other}", "report={other}", "report={shipped}"])
def test_a_start_that_is_not_there_is_not_found(world: World, wish: str) -> None:
    told = wish.format(other=world.club.pk, shipped=in_force(world).report_id)

    assert signed_in(world.olga).get(f"{path('desk_draft')}?{told}").status_code == 404


def test_a_model_s_page_marks_what_differs_from_the_one_in_force(world: World) -> None:
    model = draft(world, "glicko2", tau=0.8)

    answer = signed_in(world.olga).get(path("desk_model", model.pk))

    assert [row.name for row in answer.context["page"].changed] == ["Tau"]
    assert "1 parameter differs from Version 1, Glicko-2" in said(answer)


def test_a_draft_is_changed_and_begins_anew(world: World) -> None:
    some_history(world, matches=20)
    model = replay(world, draft(world, k=24.0))
    client = signed_in(world.otto)
    page = client.get(path("desk_model_edit", model.pk))
    assert "make it a draft again" in said(page)

    client.post(path("desk_model_edit", model.pk), values(k="28", revision=model.revision, note="Slower."))

    model.refresh_from_db()
    assert (model.state, model.parameters["k"], model.author, model.note) == ("draft", 28.0, world.otto, "Slower.")


def test_a_change_of_what_somebody_else_changed_meanwhile_is_refused_and_kept_in_the_form(world: World) -> None:
    model = draft(world, k=24.0)
    client = signed_in(world.otto)
    seen = client.get(path("desk_model_edit", model.pk)).context["form"]["revision"].value()
    rating_models.edit_draft(
        model=model, actor=world.olga, revision=model.revision, algorithm="elo", parameters={"k": 40.0}, now=world.now
    )

    answer = client.post(path("desk_model_edit", model.pk), values(k="28", revision=seen))

    model.refresh_from_db()
    assert answer.status_code == 409
    assert "Somebody changed this model meanwhile" in said(answer)
    assert 'value="28"' in answer.content.decode()
    assert model.parameters["k"] == 40.0


def test_the_way_of_a_model_from_draft_to_rating_the_next_match(world: World) -> None:
    some_history(world, matches=20)
    olga, otto = signed_in(world.olga), signed_in(world.otto)
    olga.post(f"{path('desk_draft')}?engine=elo", values(k="24", note="Everybody can compute it."))
    model = RatingModel.objects.get(queue=world.queue, version=2)

    asked = olga.post(path("desk_model_replay", model.pk))
    report = model.queue.replay_reports.get(kind="replay")
    assert asked.headers["Location"] == path("desk_report", report.pk)
    assert "It is being replayed" in said(olga.get(path("desk_model", model.pk)))
    work(report, world.now)
    model.refresh_from_db()
    otto.post(path("desk_model_approve", model.pk), {"revision": model.revision})
    model.refresh_from_db()
    asked = otto.get(path("desk_model_force", model.pk))
    assert "Matches formed from now on are rated by Version 2, Elo" in said(asked)
    done = otto.post(path("desk_model_force", model.pk), {"revision": model.revision}, follow=True)

    assert "The model is in force" in said(done)
    assert in_force(world) == model
    match = world.match(world.alice, world.bob)
    assert match.forecast.rating_model == model
    assert list(AuditEntry.objects.filter(action__startswith="model.").values_list("action", flat=True)) == [
        "model.drafted",
        "model.approved",
        "model.in_force",
    ]


def test_four_eyes_see_a_model_before_it_is_approved(world: World) -> None:
    Club.objects.update(four_eyes=True)
    some_history(world, matches=20)
    model = replay(world, draft(world))
    olga, otto = signed_in(world.olga), signed_in(world.otto)

    own = olga.get(path("desk_model", model.pk))
    refused = olga.post(path("desk_model_approve", model.pk), {"revision": model.revision}, follow=True)
    taken = otto.post(path("desk_model_approve", model.pk), {"revision": model.revision}, follow=True)

    assert "somebody else approves it" in said(own)
    assert "Approve it" not in said(own)
    assert "somebody else than its author" in said(refused)
    assert "Approved." in said(taken)


@pytest.mark.parametrize("step", ["desk_model_approve", "desk_model_force", "desk_model_discard"])
@pytest.mark.parametrize("revision", ["", "999", "x"])
def test_a_button_of_an_old_page_is_refused_in_words(world: World, step: str, revision: str) -> None:
    some_history(world, matches=20)
    model = approved(world, draft(world))

    answer = signed_in(world.otto).post(path(step, model.pk), {"revision": revision}, follow=True)

    assert "changed this model meanwhile" in said(answer)
    assert RatingModel.objects.get(pk=model.pk).state == "approved"


def test_a_draft_without_a_report_is_neither_approved_nor_put_in_force(world: World) -> None:
    model = draft(world)
    client = signed_in(world.otto)

    for step in ("desk_model_approve", "desk_model_force"):
        answer = client.post(path(step, model.pk), {"revision": model.revision}, follow=True)
        assert "Replay this model over the queue's history first" in said(answer).replace("&#x27;", "'")
    assert in_force(world).version == 1


def test_a_draft_is_thrown_away_and_its_reports_stay(world: World) -> None:
    some_history(world, matches=20)
    model = replay(world, draft(world))
    client = signed_in(world.olga)

    answer = client.post(path("desk_model_discard", model.pk), {"revision": model.revision}, follow=True)

    assert "The draft is gone" in said(answer)
    assert not RatingModel.objects.filter(pk=model.pk).exists()
    assert client.get(path("desk_report", model.report_id)).status_code == 200
    assert client.get(path("desk_model", model.pk)).status_code == 404


def test_the_confirmation_counts_the_matches_under_way(world: World) -> None:
    some_history(world, matches=20)
    model = approved(world, draft(world, "glicko2", tau=0.8))
    world.match(world.alice, world.bob)

    text = said(signed_in(world.otto).get(path("desk_model_force", model.pk)))

    assert "1 match under way is still rated by Version 1, Glicko-2" in text
    assert "No rating changes by this" in text


def test_the_confirmation_tells_how_many_ratings_move_to_another_scale(world: World) -> None:
    some_history(world, matches=20)
    model = approved(world, draft(world, "trueskill"))

    client = signed_in(world.otto)

    asked = client.get(path("desk_model_force", model.pk))
    done = client.post(path("desk_model_force", model.pk), {"revision": model.revision}, follow=True)

    assert "4 ratings move to another scale" in said(asked)
    assert "4 ratings were carried to its scale" in said(done)
    assert RatingEvent.objects.filter(kind="model_change").count() == 4
    assert set(PlayerRating.objects.values_list("rating_model__algorithm", flat=True)) == {"trueskill"}


def test_a_match_that_waits_for_its_result_keeps_its_model(world: World) -> None:
    some_history(world, matches=20)
    match = world.match(world.alice, world.bob)
    model = approved(world, draft(world, "glicko2", tau=0.8))
    signed_in(world.otto).post(path("desk_model_force", model.pk), {"revision": model.revision})
    results.report(actor=world.alice, match_id=match.pk, revision=0, winner=0, scores=None, now=world.later(seconds=9))
    results.confirm(actor=world.bob, match_id=match.pk, revision=1, now=world.later(seconds=1))
    drain_outbox(world.later(seconds=1))

    assert Match.objects.get(pk=match.pk).rated_at is not None
    assert match.forecast.rating_model.version == 1


def test_a_model_that_is_in_force_has_no_buttons_that_would_change_it(world: World) -> None:
    text = said(signed_in(world.otto).get(path("desk_model", in_force(world).pk)))

    assert "cannot be changed" in text
    for word in ("Approve it", "Change it", "Throw it away", "Put it in force"):
        assert word not in text
    assert signed_in(world.otto).get(path("desk_model_force", in_force(world).pk)).status_code == 404


@pytest.mark.parametrize(("who", "status"), [("otto", 200), ("olga", 200), ("maud", 403), ("alice", 403)])
def test_models_are_for_the_desk(world: World, who: str, status: int) -> None:
    client: Client = signed_in(getattr(world, who))

    assert client.get(path("desk_models")).status_code == status
    assert client.get(path("desk_model", in_force(world).pk)).status_code == status
