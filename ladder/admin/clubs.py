"""Clubs and people in the admin site."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from typing_extensions import override

from ladder.admin.actions import acting, carry_out
from ladder.models import Club, Game, Invitation, Membership, Player, Queue
from ladder.services import invitations, queues
from ratings.admin_base import DeskAdmin, RecordAdmin

if TYPE_CHECKING:
    _AccountAdmin = UserAdmin[Player]
else:
    _AccountAdmin = UserAdmin  # Django's own class is not subscriptable


@admin.register(Club)
class ClubAdmin(DeskAdmin[Club]):
    list_display = ["name", "slug", "time_zone", "is_public", "is_listed", "is_open_to_join", "created_at"]
    list_filter = ["is_public", "is_listed", "is_open_to_join"]
    search_fields = ["name", "slug"]
    readonly_fields = ["slug", "self_assessments", "created_at"]


@admin.register(Player)
class PlayerAdmin(_AccountAdmin):
    """Accounts are made by signing up, so that handle and look-alike rules hold; here they are helped and stopped."""

    list_display = ["handle", "display_name", "email", "is_active", "is_bot", "is_staff", "date_joined"]
    list_filter = ["is_active", "is_bot", "is_staff", "is_superuser"]
    search_fields = ["handle", "display_name", "email"]
    ordering = ["handle"]
    filter_horizontal = ["groups", "user_permissions"]
    readonly_fields = ["handle", "date_joined", "last_login"]
    show_full_result_count = False
    list_per_page = 50
    fieldsets = [
        (None, {"fields": ["handle", "password"]}),
        (_("Person"), {"fields": ["display_name", "email", "birth_year"]}),
        (_("Access"), {"fields": ["is_active", "is_bot", "is_staff", "is_superuser", "groups", "user_permissions"]}),
        (_("Settings"), {"fields": ["theme", "alerts"]}),
        (_("Times"), {"fields": ["date_joined", "last_login"]}),
    ]

    @override
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    @override
    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        return False

    @override
    def save_model(self, request: Any, obj: Player, form: "ModelForm[Player]", change: bool) -> None:
        obj.email = obj.email or None  # unique when given; many accounts have none
        super().save_model(request, obj, form, change)


@admin.register(Membership)
class MembershipAdmin(RecordAdmin[Membership]):
    list_display = ["player", "club", "role", "state", "joined_at"]
    list_filter = ["role", "state", ("club", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["player", "club"]
    search_fields = ["player__handle", "player__display_name", "club__name", "club__slug"]
    ordering = ["-id"]


@admin.register(Invitation)
class InvitationAdmin(RecordAdmin[Invitation]):
    list_display = ["club", "note", "created_by", "created_at", "expires_at", "uses", "max_uses", "revoked_at"]
    list_filter = [("club", admin.RelatedOnlyFieldListFilter), "expires_at"]
    list_select_related = ["club", "created_by"]
    search_fields = ["note", "club__name", "created_by__handle"]
    exclude = ["token_hash"]
    ordering = ["-id"]
    actions = ["revoke"]

    @admin.action(description=_("Revoke the chosen links"), permissions=["act"])
    def revoke(self, request: HttpRequest, rows: QuerySet[Invitation]) -> None:
        now, actor = timezone.now(), acting(request)
        carry_out(
            self,
            request,
            rows.select_related("club"),
            lambda row: invitations.revoke_invitation(club=row.club, actor=actor, invitation_id=row.pk, now=now),
        )


@admin.register(Game)
class GameAdmin(DeskAdmin[Game]):
    list_display = ["name", "club", "build"]
    list_filter = [("club", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["club"]
    search_fields = ["name", "club__name"]
    readonly_fields = ["club"]


@admin.register(Queue)
class QueueAdmin(DeskAdmin[Queue]):
    list_display = ["name", "club", "game", "mode", "state", "is_ranked", "created_at"]
    list_filter = ["state", "is_ranked", ("club", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["club", "game"]
    search_fields = ["name", "slug", "club__name"]
    fields = ["name", "slug", "club", "game", "mode", "teams", "team_size", "is_ranked", "state"]
    readonly_fields = ["slug", "club", "game", "mode", "teams", "team_size", "is_ranked", "state"]
    actions = ["open_now", "close_now"]

    @admin.action(description=_("Open the chosen queues"), permissions=["change"])
    def open_now(self, request: HttpRequest, rows: QuerySet[Queue]) -> None:
        self._set_state(request, rows, Queue.State.OPEN)

    @admin.action(description=_("Close the chosen queues"), permissions=["change"])
    def close_now(self, request: HttpRequest, rows: QuerySet[Queue]) -> None:
        self._set_state(request, rows, Queue.State.CLOSED)

    def _set_state(self, request: HttpRequest, rows: QuerySet[Queue], state: Queue.State) -> None:
        now, actor = timezone.now(), acting(request)
        carry_out(self, request, rows, lambda row: queues.set_state(queue=row, actor=actor, state=state, now=now))
