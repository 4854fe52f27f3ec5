"""What the admin pages of all apps share: records that are looked at and never edited by hand."""

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from typing_extensions import override

M = TypeVar("M", bound=models.Model)

if TYPE_CHECKING:

    class _ModelAdmin(admin.ModelAdmin[M]):
        """Generic for the type checker; Django's own class is not subscriptable."""

else:

    class _ModelAdmin(Generic[M], admin.ModelAdmin):
        """Subscriptable like its typed twin above."""


class RecordAdmin(_ModelAdmin[M]):
    """Rows that only services write: every field is shown, none can be added, changed or deleted.

    The permission to look stays with Django's view permission; actions that call services may be added.
    """

    show_full_result_count = False
    list_per_page = 50
    view_on_site = False

    @override
    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_act_permission(self, request: HttpRequest) -> bool:
        """Whether actions that call services are offered: to those who hold Django's change permission."""
        return request.user.has_perm(f"{self.opts.app_label}.change_{self.opts.model_name}")

    @override
    def has_change_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return False

    @override
    def has_delete_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return False


class DeskAdmin(_ModelAdmin[M]):
    """Rows whose plain fields (names, switches) may be corrected by hand, but which services make and end."""

    show_full_result_count = False
    list_per_page = 50
    view_on_site = False

    @override
    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @override
    def has_delete_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return False
