"""Builds the demo club through the same doors as any other: accounts, queue, seasons with a real history, bots."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from django.conf import settings
from django.db import transaction

from ladder.core.permissions import Role
from ladder.models import Club, Membership, Player, Queue
from ladder.services import clubs, queues, seasons
from ladder.services.imports import Source, import_matches, sentence
from matchmaking.demo import cast
from matchmaking.demo.history import LeagueSeason, league_seasons
from matchmaking.services.policies import set_preset

CONFIRM_SECONDS = 300
STOMP_GOALS = 3


@dataclass(frozen=True, slots=True)
class DemoAccount:
    """What somebody needs to look around in a role."""

    role: str
    handle: str
    password: str


@dataclass(frozen=True, slots=True)
class Demo:
    """The demo as it stands; made: whether this call built it."""

    club: Club
    queue: Queue
    accounts: tuple[DemoAccount, ...]
    made: bool


def ensure_demo(*, now: datetime) -> Demo:
    """Build the demo club, all of it or nothing; where it stands already, only its accounts are looked after."""
    with transaction.atomic():
        club = Club.objects.filter(slug=cast.CLUB_SLUG).first()
        made = club is None
        if club is None:
            club = _build(now=now)
        accounts = tuple(_account(role, handle) for role, handle in cast.PEOPLE.items())
    queue = Queue.objects.select_related("club").get(club=club, slug=cast.QUEUE_SLUG)
    return Demo(club=club, queue=queue, accounts=accounts, made=made)


def _build(*, now: datetime) -> Club:
    first_day = _day(league_seasons()[0].first_day)
    owner = _person(cast.OWNER, "Demo Owner")
    club = clubs.create_club(
        name=cast.CLUB_NAME, slug=cast.CLUB_SLUG, time_zone="UTC", owner=owner, is_public=True, now=first_day
    )
    _people(club, owner, now=first_day)
    queue = queues.create_queue(
        club=club,
        actor=owner,
        name=cast.QUEUE_NAME,
        slug=cast.QUEUE_SLUG,
        game_name=cast.GAME,
        draws_allowed=True,
        confirm_seconds=CONFIRM_SECONDS,
        now=first_day,
    )
    set_preset(queue=queue, actor=owner, preset="quick", now=first_day)
    queues.set_stomp_margin(queue=queue, actor=owner, margin=STOMP_GOALS, now=first_day)
    for season in league_seasons():
        _season(season, club, queue, owner, is_last=season is league_seasons()[-1], now=now)
    Player.objects.filter(memberships__club=club, participations__isnull=False).distinct().update(is_bot=True)
    _extra_bots(club, now=now)
    return club


def _people(club: Club, owner: Player, *, now: datetime) -> None:
    roles = {"player": Role.PLAYER, "organizer": Role.ORGANIZER, "moderator": Role.MODERATOR}
    for word, handle in cast.PEOPLE.items():
        person = _person(handle, f"Demo {word.title()}")
        clubs.join_club(club=club, player=person, self_assessment="club", now=now)
        clubs.set_role(club=club, actor=owner, player=person, role=roles[word], now=now)


def _season(season: LeagueSeason, club: Club, queue: Queue, owner: Player, *, is_last: bool, now: datetime) -> None:
    """Open it on its first day, play it, and close it a day after its last one, save the season of today."""
    starts_at, ends_at = _day(season.first_day), _day(season.last_day) + timedelta(days=1)
    row = seasons.create_season(
        club=club,
        actor=owner,
        name=season.name,
        slug=season.name,
        queues=[queue],
        starts_at=starts_at,
        ends_at=None if is_last else ends_at,
        now=starts_at,
    )
    seasons.open_season(season=row, actor=owner, now=starts_at)
    source = Source(f"{season.name}.csv", season.content)
    report = import_matches(queue=queue, actor=owner, sources=[source], now=now)
    if report.bad:
        raise ValueError(f"{source.name}, line {report.bad[0].line}: {sentence(report.bad[0])}")
    if not is_last:
        seasons.close_season(season=row, actor=owner, now=ends_at)


def _extra_bots(club: Club, *, now: datetime) -> None:
    for bot in cast.extra_bots():
        player = _person(bot.handle, bot.name, is_bot=True)
        clubs.join_club(club=club, player=player, self_assessment=bot.self_assessment, now=now)


def _person(handle: str, name: str, *, is_bot: bool = False) -> Player:
    player = Player.objects.filter(handle=handle).first()
    return player or Player.objects.create_user(handle, display_name=name, is_bot=is_bot)


def _account(role: str, handle: str) -> DemoAccount:
    """The account with the password that this installation shows at every start."""
    password = cast.password_of(handle, secret=settings.SECRET_KEY)
    player = Player.objects.get(handle=handle)
    if not player.check_password(password):
        player.set_password(password)
        player.save(update_fields=["password"])
    return DemoAccount(role=role, handle=handle, password=password)


def bots_of(club: Club) -> list[Player]:
    """The club's bots that may play."""
    members = Membership.objects.filter(club=club, state=Membership.State.ACTIVE, player__is_bot=True)
    return [membership.player for membership in members.select_related("player").order_by("player_id")]


def _day(text: str) -> datetime:
    return datetime.combine(datetime.fromisoformat(text).date(), time(0), UTC)
