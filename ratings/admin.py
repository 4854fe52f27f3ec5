"""The ledger and its models in the admin site: to look at, search and filter, never to edit."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from ratings.admin_base import RecordAdmin
from ratings.models import Forecast, ForecastEntry, PlayerRating, RatingEvent, RatingModel, ReplayPart, ReplayReport


@admin.register(RatingModel)
class RatingModelAdmin(RecordAdmin[RatingModel]):
    list_display = ["queue", "version", "algorithm", "period", "preset", "state", "valid_during", "approved_by"]
    list_filter = ["state", "algorithm", "period", ("queue", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["queue", "approved_by"]
    search_fields = ["queue__name", "queue__slug", "algorithm", "preset", "note"]
    date_hierarchy = "created_at"


@admin.register(ReplayReport)
class ReplayReportAdmin(RecordAdmin[ReplayReport]):
    list_display = ["queue", "kind", "title", "state", "progress_done", "progress_total", "created_at", "finished_at"]
    list_filter = ["kind", "state", ("queue", admin.RelatedOnlyFieldListFilter)]
    list_select_related = ["queue"]
    search_fields = ["=id", "title", "queue__name", "queue__slug"]
    search_help_text = _("Title, queue, or the id of a report.")
    ordering = ["-created_at", "-id"]


@admin.register(ReplayPart)
class ReplayPartAdmin(RecordAdmin[ReplayPart]):
    list_display = ["report", "position", "key", "state", "attempts", "progress_done", "lease_until", "error"]
    list_filter = ["state", "report__kind"]
    list_select_related = ["report"]
    search_fields = ["=id", "=report__id", "key", "report__title"]
    search_help_text = _("Title or id of a report, or the key of a part.")
    ordering = ["-id"]


@admin.register(PlayerRating)
class PlayerRatingAdmin(RecordAdmin[PlayerRating]):
    list_display = [
        "player",
        "queue",
        "season",
        "role",
        "rating",
        "deviation",
        "rating_model",
        "position",
        "games",
        "last_match_at",
    ]
    list_filter = [("queue", admin.RelatedOnlyFieldListFilter), ("season", admin.RelatedOnlyFieldListFilter), "tier"]
    list_select_related = ["player", "queue", "season", "rating_model"]
    search_fields = ["=id", "player__handle", "player__display_name"]
    search_help_text = _("Handle, name, or the id of the rating.")
    ordering = ["-id"]


@admin.register(RatingEvent)
class RatingEventAdmin(RecordAdmin[RatingEvent]):
    list_display = [
        "created_at",
        "kind",
        "player",
        "queue",
        "seq",
        "rating_before",
        "rating_after",
        "position_before",
        "position_after",
        "points_delta",
        "actor",
    ]
    list_filter = ["kind", ("player_rating__queue", admin.RelatedOnlyFieldListFilter), "created_at"]
    list_select_related = ["player_rating__player", "player_rating__queue", "actor"]
    search_fields = ["=id", "=match__id", "=hash", "player_rating__player__handle", "actor__handle"]
    search_help_text = _("Handle, or the id of an event or match, or a hash.")
    ordering = ["-created_at", "-id"]

    @admin.display(description=_("player"), ordering="player_rating__player__handle")
    def player(self, event: RatingEvent) -> str:
        return str(event.player_rating.player)

    @admin.display(description=_("queue"))
    def queue(self, event: RatingEvent) -> str:
        return str(event.player_rating.queue)


@admin.register(Forecast)
class ForecastAdmin(RecordAdmin[Forecast]):
    list_display = ["match", "rating_model", "quality", "created_at"]
    list_filter = ["rating_model__algorithm", "created_at"]
    list_select_related = ["match", "rating_model"]
    search_fields = ["=id", "=match__id"]
    search_help_text = _("The id of a match or a forecast.")
    ordering = ["-id"]


@admin.register(ForecastEntry)
class ForecastEntryAdmin(RecordAdmin[ForecastEntry]):
    list_display = ["forecast", "player", "team", "rating", "deviation", "expected"]
    list_filter = ["team"]
    list_select_related = ["forecast", "player"]
    search_fields = ["=forecast__id", "=forecast__match__id", "player__handle"]
    search_help_text = _("Handle, or the id of a match or a forecast.")
    ordering = ["-id"]
