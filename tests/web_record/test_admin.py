"""The admin site: every table registered, the record read-only, pages sane with many rows, nothing inline."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.apps import apps
from django.contrib import admin
from django.db import models
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ladder.models import AuditEntry, Match, OutboxEvent, Player, Season
from ladder.services import outbox
from ratings.models import Forecast, ForecastEntry, PlayerRating, RatingEvent
from tests.harness.queries import assert_queries
from tests.ladder.world import World
from tests.web_record.stage import crowd, history, signed_in

pytestmark = pytest.mark.django_db

OURS = [model for label in ("ratings", "ladder", "matchmaking") for model in apps.get_app_config(label).get_models()]
UNTOUCHABLE = [RatingEvent, Forecast, ForecastEntry, PlayerRating, AuditEntry, OutboxEvent]
MAY_EDIT = {"Club", "Player", "Game", "Queue", "Season"}


@pytest.fixture
def root(db: None) -> Client:
    """The site's superuser."""
    return signed_in(Player.objects.create_superuser("root", "root@example.org", "pw"))


def page(model: type[models.Model], name: str, *args: object) -> str:
    """The address of an admin page."""
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{name}", args=args)


def test_every_table_is_registered() -> None:
    assert [model.__name__ for model in OURS if not admin.site.is_registered(model)] == []


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_every_list_can_be_searched_and_filtered(model: type[models.Model]) -> None:
    shown = admin.site._registry[model]

    assert shown.search_fields
    assert shown.list_filter or model.__name__ in {"SeasonRules"}
    assert not shown.list_editable


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_every_list_opens_searches_and_shows_its_rows(root: Client, world: World, model: type[models.Model]) -> None:
    history(world, "alice>bob bob>alice")
    row = model._default_manager.first()

    assert root.get(page(model, "changelist")).status_code == 200
    assert root.get(page(model, "changelist"), {"q": "alice"}).status_code == 200
    assert row is None or root.get(page(model, "change", row.pk)).status_code == 200


@pytest.mark.parametrize("model", UNTOUCHABLE, ids=lambda model: model.__name__)
def test_the_record_cannot_be_added_to_changed_or_deleted(
    root: Client, world: World, model: type[models.Model]
) -> None:
    history(world, "alice>bob")
    outbox.record(kind="rating.changed", key="x", payload={}, now=world.now)
    row = model._default_manager.first()
    assert row is not None

    assert root.get(page(model, "add")).status_code == 403
    assert root.post(page(model, "change", row.pk), {"reason": "x"}).status_code == 403
    assert root.post(page(model, "delete", row.pk), {"post": "yes"}).status_code == 403
    bulk = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    root.post(page(model, "changelist"), bulk)
    assert model._default_manager.filter(pk=row.pk).exists()


@pytest.mark.parametrize("model", OURS, ids=lambda model: model.__name__)
def test_nothing_is_made_or_deleted_by_hand(root: Client, model: type[models.Model]) -> None:
    shown = admin.site._registry[model]

    assert root.get(page(model, "add")).status_code == 403
    assert (model.__name__ in MAY_EDIT) == (type(shown).has_change_permission(shown, _request_of(root)))


def _request_of(root: Client):
    return root.get(reverse("admin:index")).wsgi_request


@pytest.mark.parametrize("model", [Player, PlayerRating], ids=lambda model: model.__name__)
def test_a_list_costs_the_same_with_ten_and_with_ten_thousand_rows(
    root: Client, world: World, model: type[models.Model]
) -> None:
    crowd(world, 10)
    root.get(page(model, "changelist"))
    with assert_queries(8, "session, person, count, rows, choices of the filters", at_most=True) as few:
        root.get(page(model, "changelist"))
    crowd(world, 10_000, prefix="q")

    with assert_queries(len(few), "the same as with ten rows"):
        root.get(page(model, "changelist"))


def test_the_ledger_s_list_costs_the_same_with_many_events(root: Client, world: World) -> None:
    history(world, " ".join(["alice>bob"] * 60))
    root.get(page(RatingEvent, "changelist"))

    with assert_queries(7, "session, person, count, events, queues to filter by, actors", at_most=True):
        root.get(page(RatingEvent, "changelist"))


def test_pages_hold_no_inline_script_or_style(root: Client, world: World) -> None:
    history(world, "alice>bob")
    for address in (page(RatingEvent, "changelist"), page(Player, "change", world.alice.pk), reverse("admin:index")):
        html = root.get(address).content.decode()
        assert "style=" not in html
        assert "<style" not in html
        assert "onclick=" not in html


def test_an_account_without_an_address_can_be_saved(root: Client, world: World) -> None:
    Player.objects.filter(pk=world.alice.pk).update(email=None)
    Player.objects.filter(pk=world.bob.pk).update(email=None)
    fields = {"display_name": "Alice A", "email": "", "is_active": "on", "theme": "auto", "alerts": "on"}

    for player in (world.alice, world.bob):
        assert root.post(page(Player, "change", player.pk), fields).status_code == 302

    assert Player.objects.get(pk=world.alice.pk).display_name == "Alice A"


def test_an_action_calls_the_service_and_its_refusal_is_shown_in_words(root: Client, world: World) -> None:
    match = world.match(world.alice, world.bob)
    chosen = {"action": "call_off", "_selected_action": [match.pk]}

    html = root.post(page(Match, "changelist"), chosen, follow=True).content.decode()

    assert Match.objects.get(pk=match.pk).state == Match.State.ASSIGNED
    assert "There is no such page" in html or "does not allow" in html


def test_an_organizer_with_admin_rights_calls_a_match_off(world: World) -> None:
    Player.objects.filter(pk=world.otto.pk).update(is_staff=True, is_superuser=True)
    match = world.match(world.alice, world.bob)
    chosen = {"action": "call_off", "_selected_action": [match.pk]}

    signed_in(world.otto).post(page(Match, "changelist"), chosen)

    assert Match.objects.get(pk=match.pk).state == Match.State.CANCELLED


def test_an_owner_with_admin_rights_closes_a_season(world: World) -> None:
    Player.objects.filter(pk=world.otto.pk).update(is_staff=True, is_superuser=True)

    signed_in(world.otto).post(
        page(Season, "changelist"), {"action": "close_now", "_selected_action": [world.season.pk]}
    )

    assert Season.objects.get(pk=world.season.pk).state == Season.State.CLOSED


def test_a_stuck_outbox_event_is_delivered_by_hand(root: Client, world: World) -> None:
    late = timezone.now() - timedelta(days=1)
    event = outbox.record(
        kind="rating.changed", key="x", payload={"players": [], "queue": str(world.queue.pk)}, now=late
    )

    root.post(page(OutboxEvent, "changelist"), {"action": "deliver_now", "_selected_action": [event.pk]})

    event.refresh_from_db()
    assert event.delivered_at is not None
