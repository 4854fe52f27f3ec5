"""Seasons, matches and results in the admin site. Their states belong to the services."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from ladder.models import Match, MatchParticipant, MatchTeam, ResultReport, Season, SeasonRules
from ratings.admin_base import DeskAdmin, RecordAdmin


@admin.register(Season)
class SeasonAdmin(DeskAdmin[Season]):
    list_display = ["name", "club", "state", "opened_at", "closed_at"]
    list_filter = ["state", ("club", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["club"]
    search_fields = ["name", "slug", "club__name"]
    fields = ["name", "slug", "club", "state", "opened_at", "closed_at", "created_at"]
    readonly_fields = ["slug", "club", "state", "opened_at", "closed_at", "created_at"]


@admin.register(SeasonRules)
class SeasonRulesAdmin(RecordAdmin[SeasonRules]):
    list_display = ["season", "queue", "during"]
    list_filter = [("queue", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["season", "queue"]
    search_fields = ["season__name", "queue__name"]


@admin.register(Match)
class MatchAdmin(RecordAdmin[Match]):
    list_display = ["id", "queue", "season", "source", "state", "formed_at", "completed_at", "unrated_reason"]
    list_filter = ["state", "source", ("queue", admin.RelatedOnlyFieldListFilter), "formed_at"]
    list_select_related = ["queue", "season"]
    search_fields = ["=id", "=external_id", "participants__player__handle"]
    search_help_text = _("Handle of a player, or the id of a match.")
    ordering = ["-id"]


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
