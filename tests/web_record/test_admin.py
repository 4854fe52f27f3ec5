"""The admin site: every model registered, the record read-only, pages sane with many rows, no inline style."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.urls import reverse

from ladder.models import Player

pytestmark = pytest.mark.django_db

OUR_MODELS = [
    model for label in ("ratings", "ladder", "matchmaking") for model in apps.get_app_config(label).get_models()
]


def test_every_model_is_registered(client) -> None:
    missing = [model.__name__ for model in OUR_MODELS if not admin.site.is_registered(model)]

    assert missing == []


@pytest.mark.parametrize("model", OUR_MODELS, ids=lambda model: model.__name__)
def test_every_list_opens_and_searches(client, model) -> None:
    client.force_login(Player.objects.create_superuser("root", "root@example.org", "x"))
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")

    assert client.get(address).status_code == 200
    assert client.get(address, {"q": "alice"}).status_code == 200
