"""Seasons, matches and results in the admin site. Their states belong to the services."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ladder.admin.actions import acting, carry_out
from ladder.models import DecayWarning, Match, MatchParticipant, MatchTeam, Pause, ResultReport, Season, SeasonRules
from ladder.services import matches, seasons
from ratings.admin_base import DeskAdmin, RecordAdmin


@admin.register(Season)
class SeasonAdmin(DeskAdmin[Season]):
    list_display = ["name", "club", "state", "opened_at", "closed_at"]
    list_filter = ["state", ("club", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["club"]
    search_fields = ["name", "slug", "club__name"]
    fields = ["name", "slug", "club", "state", "opened_at", "closing_at", "closed_at", "created_at"]
    readonly_fields = ["slug", "club", "state", "opened_at", "closing_at", "closed_at", "created_at"]
    actions = ["open_now", "close_now"]

    @admin.action(description=_("Open the chosen seasons"), permissions=["change"])
    def open_now(self, request: HttpRequest, rows: QuerySet[Season]) -> None:
        now, actor = timezone.now(), acting(request)
        carry_out(self, request, rows, lambda row: seasons.open_season(season=row, actor=actor, now=now))

    @admin.action(description=_("Close the chosen seasons for good"), permissions=["change"])
    def close_now(self, request: HttpRequest, rows: QuerySet[Season]) -> None:
        now, actor = timezone.now(), acting(request)
        carry_out(self, request, rows, lambda row: seasons.close_season(season=row, actor=actor, now=now))


@admin.register(SeasonRules)
class SeasonRulesAdmin(RecordAdmin[SeasonRules]):
    list_display = ["season", "queue", "during"]
    list_filter = [("queue", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["season", "queue"]
    search_fields = ["season__name", "queue__name"]


@admin.register(Pause)
class PauseAdmin(RecordAdmin[Pause]):
    list_display = ["club", "queue", "first_day", "last_day", "reason", "is_closure"]
    list_filter = ["is_closure", ("club", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["club", "queue"]
    search_fields = ["reason", "club__name", "queue__name"]
    ordering = ["-id"]


@admin.register(DecayWarning)
class DecayWarningAdmin(RecordAdmin[DecayWarning]):
    list_display = ["created_at", "player", "queue", "season", "idle_since", "begins_on", "mailed_at"]
    list_filter = [("queue", admin.RelatedOnlyFieldListFilter), "created_at"]
    list_select_related = ["player", "queue", "season"]
    search_fields = ["player__handle"]
    ordering = ["-id"]


@admin.register(Match)
class MatchAdmin(RecordAdmin[Match]):
    list_display = ["id", "queue", "season", "source", "state", "formed_at", "completed_at", "unrated_reason"]
    list_filter = ["state", "source", ("queue", admin.RelatedOnlyFieldListFilter), "formed_at"]
    list_select_related = ["queue", "season"]
    search_fields = ["=id", "=external_id", "participants__player__handle"]
    search_help_text = _("Handle of a player, or the id of a match.")
    ordering = ["-id"]
    actions = ["call_off"]

    @admin.action(description=_("Call the chosen matches off"), permissions=["act"])
    def call_off(self, request: HttpRequest, rows: QuerySet[Match]) -> None:
        now, actor = timezone.now(), acting(request)
        carry_out(
            self,
            request,
            rows,
            lambda row: matches.cancel(match_id=row.pk, reason="voided", now=now, actor=actor),
        )


@admin.register(MatchTeam)
class MatchTeamAdmin(RecordAdmin[MatchTeam]):
    list_display = ["match", "index", "rank", "score"]
    list_filter = ["rank"]
    list_select_related = ["match"]
    search_fields = ["=match__id", "participants__player__handle"]
    search_help_text = _("Handle, or the id of a match.")
    ordering = ["-id"]


@admin.register(MatchParticipant)
class MatchParticipantAdmin(RecordAdmin[MatchParticipant]):
    list_display = ["player", "match", "team", "is_live", "matched_at", "window"]
    list_filter = ["is_live"]
    list_select_related = ["player", "match", "team"]
    search_fields = ["=match__id", "player__handle"]
    search_help_text = _("Handle, or the id of a match.")
    ordering = ["-id"]


@admin.register(ResultReport)
class ResultReportAdmin(RecordAdmin[ResultReport]):
    list_display = ["created_at", "kind", "match", "revision", "reporter", "note"]
    list_filter = ["kind", "created_at"]
    list_select_related = ["match", "reporter"]
    search_fields = ["=match__id", "reporter__handle", "note"]
    search_help_text = _("Handle of the reporter, the id of a match, or words of the note.")
    ordering = ["-id"]
