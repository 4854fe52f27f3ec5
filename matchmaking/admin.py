"""Policies, tickets and ready checks in the admin site. Their clocks and states belong to the services: to look at."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from matchmaking.models import MatchmakingPolicy, ReadyCheck, ReadyCheckAnswer, Ticket, TicketEvent, TicketMember
from ratings.admin_base import RecordAdmin


@admin.register(MatchmakingPolicy)
class MatchmakingPolicyAdmin(RecordAdmin[MatchmakingPolicy]):
    list_display = ["queue", "version", "preset", "during", "author", "created_at"]
    list_filter = ["preset", ("queue", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["queue", "author"]
    search_fields = ["queue__name", "queue__slug", "preset"]


@admin.register(Ticket)
class TicketAdmin(RecordAdmin[Ticket]):
    list_display = ["leader", "queue", "state", "joined_at", "ended_at", "end_reason"]
    list_filter = ["state", ("queue", admin.RelatedOnlyFieldListFilter), "joined_at"]
    list_select_related = ["leader", "queue"]
    search_fields = ["=id", "leader__handle"]
    search_help_text = _("Handle, or the id of a ticket.")
    ordering = ["-id"]


@admin.register(TicketMember)
class TicketMemberAdmin(RecordAdmin[TicketMember]):
    list_display = ["player", "ticket", "is_live"]
    list_filter = ["is_live"]
    list_select_related = ["player", "ticket"]
    search_fields = ["=ticket__id", "player__handle"]
    search_help_text = _("Handle, or the id of a ticket.")
    ordering = ["-id"]


@admin.register(TicketEvent)
class TicketEventAdmin(RecordAdmin[TicketEvent]):
    list_display = ["created_at", "kind", "reason", "ticket"]
    list_filter = ["kind", "created_at"]
    list_select_related = ["ticket"]
    search_fields = ["=ticket__id", "ticket__leader__handle"]
    search_help_text = _("Handle of the leader, or the id of a ticket.")
    ordering = ["-id"]


@admin.register(ReadyCheck)
class ReadyCheckAdmin(RecordAdmin[ReadyCheck]):
    list_display = ["created_at", "state", "match", "quality", "deadline", "ended_at"]
    list_filter = ["state", "created_at"]
    list_select_related = ["match"]
    search_fields = ["=id", "=match__id"]
    search_help_text = _("The id of a ready check or a match.")
    ordering = ["-id"]


@admin.register(ReadyCheckAnswer)
class ReadyCheckAnswerAdmin(RecordAdmin[ReadyCheckAnswer]):
    list_display = ["player", "answer", "seen_at", "answered_at", "ready_check"]
    list_filter = ["answer"]
    list_select_related = ["player", "ready_check"]
    search_fields = ["=ready_check__id", "=ready_check__match__id", "player__handle"]
    search_help_text = _("Handle, or the id of a ready check or a match.")
    ordering = ["-id"]
