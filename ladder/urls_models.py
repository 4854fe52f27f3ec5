"""Addresses of rating models, replays and searches, at the desk."""

from django.urls import URLPattern, URLResolver, path

from ladder.views import desk_ratings, desk_reports

_ratings = "c/<slug:club_slug>/desk/ratings/"
_queue = f"{_ratings}<slug:queue_slug>/"
_model = f"{_queue}models/<uuid:model_id>/"
_report = f"{_queue}reports/<uuid:report_id>/"

urlpatterns: list[URLPattern | URLResolver] = [
    path(_ratings, desk_ratings.overview, name="desk_ratings"),
    path(_queue, desk_ratings.queue, name="desk_models"),
    path(f"{_queue}draft/", desk_ratings.new_draft, name="desk_draft"),
    path(_model, desk_ratings.model, name="desk_model"),
    path(f"{_model}edit/", desk_ratings.edit_draft, name="desk_model_edit"),
    path(f"{_model}replay/", desk_ratings.replay, name="desk_model_replay"),
    path(f"{_model}approve/", desk_ratings.approve, name="desk_model_approve"),
    path(f"{_model}discard/", desk_ratings.discard, name="desk_model_discard"),
    path(f"{_model}force/", desk_ratings.force, name="desk_model_force"),
    path(f"{_queue}replay/", desk_reports.replay, name="desk_replay"),
    path(f"{_queue}fit/", desk_reports.fit, name="desk_fit"),
    path(f"{_queue}compare/", desk_reports.compare, name="desk_compare"),
    path(_report, desk_reports.report, name="desk_report"),
    path(f"{_report}cancel/", desk_reports.cancel, name="desk_report_cancel"),
    path(f"{_report}report.json", desk_reports.as_json, name="desk_report_json"),
    path(f"{_report}figures.csv", desk_reports.figures, name="desk_report_figures"),
    path(f"{_report}standings.csv", desk_reports.standings, name="desk_report_standings"),
]
