"""Addresses of the record: leaderboards, profiles, seasons, audit, desk."""

from django.urls import URLPattern, URLResolver, path, register_converter
from django.urls.converters import StringConverter

from ladder.views import audit, boards, desk, desk_club, desk_play, players, rating_health, seasons


class HandleConverter(StringConverter):
    """A player's handle; what no handle can hold is no address."""

    regex = r"[^/\x00-\x1f]{1,30}"


register_converter(HandleConverter, "handle")

_club = "c/<slug:club_slug>/"
_desk = f"{_club}desk/"

urlpatterns: list[URLPattern | URLResolver] = [
    path(f"{_club}ladder/", boards.index, name="boards"),
    path(f"{_club}ladder/<slug:queue_slug>/", boards.board, name="board"),
    path(f"{_club}ladder/<slug:queue_slug>/standings.csv", boards.standings, name="board_csv"),
    path(f"{_club}players/<handle:handle>/", players.player, name="player"),
    path(f"{_club}seasons/", seasons.seasons, name="seasons"),
    path(f"{_club}seasons/<slug:season_slug>/", seasons.season, name="season"),
    path(f"{_club}audit/", audit.events, name="audit"),
    path(f"{_club}audit/acts/", audit.acts, name="audit_acts"),
    path(f"{_club}audit/unrated/", audit.unrated, name="audit_unrated"),
    path(f"{_club}health/", rating_health.health, name="health"),
    path(f"{_club}health/weeks.csv", rating_health.weeks, name="health_csv"),
    path(_desk, desk.overview, name="desk"),
    path(f"{_desk}members/", desk.members, name="desk_members"),
    path(f"{_desk}members/<handle:handle>/role/", desk.set_role, name="desk_set_role"),
    path(f"{_desk}members/<handle:handle>/end/", desk.end_membership, name="desk_end_membership"),
    path(f"{_desk}members/<handle:handle>/lift-ban/", desk.lift_ban, name="desk_lift_ban"),
    path(f"{_desk}links/", desk.links, name="desk_links"),
    path(f"{_desk}links/<uuid:invitation_id>/revoke/", desk.revoke_link, name="desk_revoke_link"),
    path(f"{_desk}queues/", desk_play.queues, name="desk_queues"),
    path(f"{_desk}queues/<slug:queue_slug>/state/", desk_play.queue_state, name="desk_queue_state"),
    path(f"{_desk}queues/<slug:queue_slug>/margin/", desk_play.queue_margin, name="desk_queue_margin"),
    path(f"{_desk}queues/<slug:queue_slug>/newcomers/", desk_club.newcomers, name="desk_newcomers"),
    path(f"{_desk}queues/<slug:queue_slug>/newcomers/measured/", desk_club.take_measured, name="desk_take_measured"),
    path(f"{_desk}club/", desk_club.settings, name="desk_club"),
    path(f"{_desk}club/answers/", desk_club.answers, name="desk_answers"),
    path(f"{_desk}seasons/", desk_play.seasons, name="desk_seasons"),
    path(f"{_desk}seasons/<slug:season_slug>/open/", desk_play.open_season, name="desk_open_season"),
    path(f"{_desk}seasons/<slug:season_slug>/close/", desk_play.close_season, name="desk_close_season"),
]
