"""Actions of the admin site: each one calls a service for every chosen row and tells what came of it."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.contrib import admin, messages
from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ladder.models import Player
from ratings.errors import DomainError

M = TypeVar("M", bound=models.Model)


def acting(request: HttpRequest) -> Player:
    """Who presses the button; services ask whether this person's role in the club allows it."""
    assert isinstance(request.user, Player), "the admin site lets nobody else in"
    return request.user


def carry_out(
    model_admin: "admin.ModelAdmin[Any]", request: HttpRequest, rows: Iterable[M], act: Callable[[M], object]
) -> None:
    """The act for each row; refusals are shown in the service's words and keep nothing else from being done."""
    done = 0
    for row in rows:
        try:
            act(row)
        except DomainError as refusal:
            text = _("%(row)s: %(why)s") % {"row": row, "why": refusal.message}
            model_admin.message_user(request, text, messages.ERROR)
        else:
            done += 1
    if done:
        text = ngettext("Done for %(count)d row.", "Done for %(count)d rows.", done) % {"count": done}
        model_admin.message_user(request, text, messages.SUCCESS)
