"""The demo club as a newcomer meets it: real seasons, bots that play, a match within seconds."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from ladder.models import Club, Match, OutboxEvent, Player, Season
from ladder.services import clubs, results
from ladder.services.outbox import consume
from matchmaking.demo.report import ensure_report
from matchmaking.demo.runner import Runner
from matchmaking.demo.setup import Demo, ensure_demo
from matchmaking.models import ReadyCheckAnswer, Ticket
from matchmaking.services import queueing, ready
from matchmaking.services.tick import run_pool
from matchmaking.store import clock
from ratings.models import PlayerRating
from ratings.services.verify import verify_ledger

pytestmark = [pytest.mark.service, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def demo(transactional_db: None) -> Demo:
    """The demo, built."""
    return ensure_demo(now=timezone.now())


def live_until(demo: Demo, reached: Callable[[], bool], *, seconds: float) -> float:
    """Let bots, matchmaker and worker go on until something is reached; returns after how many seconds."""
    runner, started = Runner(rng=random.Random(5)), time.monotonic()
    while not reached():
        waited = time.monotonic() - started
        assert waited < seconds, f"not reached within {seconds} s"
        runner.beat()
        run_pool(queue_id=demo.queue.pk, now=clock(), rng=random.Random(5))
        for event_id in OutboxEvent.objects.filter(delivered_at=None).values_list("pk", flat=True):
            consume(event_id=event_id, now=timezone.now())
        time.sleep(0.2)
    return time.monotonic() - started


def test_the_club_has_two_closed_seasons_an_open_one_and_a_sound_ledger(demo: Demo) -> None:
    states = dict(Season.objects.filter(club=demo.club).order_by("slug").values_list("slug", "state"))

    assert states == {"2022-23": "closed", "2023-24": "closed", "2024-25": "open"}
    assert Match.objects.filter(rated_at__isnull=False).count() == 3 * 380
    for season in Season.objects.filter(club=demo.club):
        assert PlayerRating.objects.filter(season=season, games=38, position__isnull=False).count() == 20
    assert list(verify_ledger()) == []


def test_building_it_again_changes_nothing_and_the_accounts_work(demo: Demo) -> None:
    again = ensure_demo(now=timezone.now())

    assert (demo.made, again.made) == (True, False)
    assert again.accounts == demo.accounts
    assert Club.objects.count() == 1
    for account in demo.accounts:
        assert Player.objects.get(handle=account.handle).check_password(account.password)


@pytest.mark.parametrize("answer", ["novice", "expert"])
def test_a_newcomer_has_a_match_within_fifteen_seconds_and_bots_confirm(demo: Demo, answer: str) -> None:
    person = Player.objects.create_user("newcomer")
    clubs.join_club(club=demo.club, player=person, self_assessment=answer, now=timezone.now())
    queueing.join(queue=demo.queue, player=person, now=clock())
    asked = ReadyCheckAnswer.objects.filter(player=person, answer="pending", ready_check__state="open")

    live_until(demo, asked.exists, seconds=15)
    outcome = ready.accept(ready_check_id=asked.get().ready_check_id, player=person, now=clock())
    matches = Match.objects.filter(pk=outcome.match_id)
    live_until(demo, matches.filter(state=Match.State.ASSIGNED).exists, seconds=10)
    results.report(match_id=outcome.match_id, actor=person, revision=0, winner=0, scores=None, now=timezone.now())
    live_until(demo, matches.filter(rated_at__isnull=False).exists, seconds=15)

    assert PlayerRating.objects.get(player=person).games == 1


def test_the_bots_leave_the_queue_when_they_are_stopped(demo: Demo) -> None:
    runner, stop = Runner(rng=random.Random(5)), threading.Event()
    while not Ticket.objects.filter(state=Ticket.State.SEARCHING).exists():
        runner.beat()
    stop.set()

    runner.run(stop)

    assert not Ticket.objects.filter(state=Ticket.State.SEARCHING).exists()


def test_the_desk_has_a_replay_and_pages_of_figures_from_the_first_look_on(demo: Demo) -> None:
    report = ensure_report(demo.queue, clock=timezone.now)
    again = ensure_report(demo.queue, clock=timezone.now)
    client = Client()
    client.force_login(Player.objects.get(handle="demo-organizer"))

    shown = client.get(f"/c/demo/desk/ratings/1v1/reports/{report.pk}/")
    health = client.get("/c/demo/health/")
    fairness = client.get("/c/demo/health/fairness/")

    assert (again.pk, report.state) == (report.pk, "done")
    assert [column.name for column in shown.context["page"].shown.columns][:1] == ["glicko2 v1"]
    assert shown.context["page"].detail.drafts[0].state == "replayed"
    assert len(health.context["page"].rows) > 20
    assert fairness.context["page"].matches.figures.total.with_margin == 3 * 380


def test_the_command_prints_the_accounts_and_bots_need_the_club(transactional_db: None) -> None:
    with pytest.raises(CommandError, match="demo_setup first"):
        call_command("demo_bots", stdout=StringIO())
    out = StringIO()

    call_command("demo_setup", stdout=out)
    call_command("demo_setup", stdout=out)

    told = out.getvalue()
    assert "Demo club built" in told
    assert "Demo club is there" in told
    for handle in ("demo-player", "demo-organizer", "demo-moderator"):
        assert told.count(handle) == 2
