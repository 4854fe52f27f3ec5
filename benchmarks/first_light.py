"""The figures of the whole loop: start, join to ready check, results rated, history imported.

    .venv/bin/python -m benchmarks.first_light [--json] [--only start,ready,rate,import]

Runs on embedded servers of its own; only `start` uses the checkout's own instance (bin/serve, started twice).
"""

from __future__ import annotations

import contextlib
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from benchmarks.bench import ROOT, SLOT, arguments, own_database, progress, show

PORT = 8765
JOIN_ROUNDS = 9
HUMAN_PAUSE = 1.0  # a press in the moment in which the button changes its meaning is dropped on purpose
RESULTS = 900
RATED_PLAYERS = 300
HISTORY = ROOT / "ladder" / "demo_data" / "leagues.csv"
PASSWORD = "a long password for a benchmark"


def seconds_to_first_page() -> dict[str, Any]:
    """From bin/serve to the line that says the first page answers, for two starts in a row."""
    return {"serve_first_page_s_first": _serve_once(), "serve_first_page_s_second": _serve_once()}


def _serve_once() -> float:
    environment = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    begun = time.monotonic()
    serve = subprocess.Popen(
        [str(ROOT / "bin" / "serve"), "--port", str(PORT)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
        start_new_session=True,
    )
    try:
        assert serve.stdout is not None
        for line in serve.stdout:
            if f":{PORT}" in line:
                return round(time.monotonic() - begun, 2)
        raise SystemExit("bin/serve ended before its first page answered; is another one running in this checkout?")
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(serve.pid, signal.SIGINT)
        serve.communicate(timeout=30)


def join_to_ready_check() -> dict[str, Any]:
    """Two browsers on the running app: from the second click on Join until both show the ready check."""
    from tests.harness.live import start_live_app, stop_live_app
    from tests.harness.pages import People, launched_browser

    world = _club(players=2)
    app = start_live_app(SLOT)
    try:
        with launched_browser() as browser:
            people = People(browser, app.url)
            pages = [people.open(phone=True) for _ in range(2)]
            for page, player in zip(pages, world.players, strict=True):
                _sign_in(page, player.handle)
            waits = [_one_join_round(pages, world) for _ in range(JOIN_ROUNDS)]
            people.close()
    finally:
        stop_live_app(app)
    return {
        "join_to_ready_check_s_median": round(statistics.median(waits), 3),
        "join_to_ready_check_s_max": round(max(waits), 3),
        "join_rounds": JOIN_ROUNDS,
    }


def _sign_in(page: Any, handle: str) -> None:
    page.goto("/accounts/login/")
    page.locator("input[name=login]").fill(handle)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main button[type=submit]").click()
    page.wait_for_url(lambda url: "/accounts/login/" not in url)


def _one_join_round(pages: list[Any], world: Any) -> float:
    from django.utils import timezone

    from ladder.models import Match
    from ladder.services import matches

    for page in pages:
        page.goto(f"/c/{world.club.slug}/play/{world.queue.slug}/")
    pages[0].get_by_role("button", name="Join").click()
    pages[0].get_by_role("button", name="Cancel").wait_for()
    begun = time.monotonic()
    pages[1].get_by_role("button", name="Join").click()
    for page in pages:
        page.get_by_role("button", name="Accept").wait_for()
    seconds = time.monotonic() - begun
    time.sleep(HUMAN_PAUSE)
    for page in pages:
        page.get_by_role("button", name="Accept").click()
    deadline = time.monotonic() + 10
    while not Match.objects.filter(state=Match.State.ASSIGNED).exists():
        if time.monotonic() > deadline:
            raise SystemExit("both accepted, and the match was not assigned within ten seconds")
        time.sleep(0.05)
    match = Match.objects.get(state=Match.State.ASSIGNED)
    matches.cancel(match_id=match.pk, reason="benchmark", now=timezone.now())
    return seconds


def results_rated_per_second() -> dict[str, Any]:
    """A backlog of agreed results through outbox, broker and one worker process; beside it the bare service call."""
    world = _club(players=RATED_PLAYERS)
    backlog = _agreed_matches(world, RESULTS)
    by_worker = _drained_by_worker()
    bare = _agreed_matches(world, RESULTS // 3)
    return {
        "results_rated_per_s_by_one_worker": round(len(backlog) / by_worker, 1),
        "results_rated_per_s_by_bare_service": round(len(bare) / _rated_in_process(bare), 1),
        "results_rated": len(backlog),
    }


def _agreed_matches(world: Any, count: int) -> list[Any]:
    from django.utils import timezone

    from ladder.models import Match
    from ladder.services import matches, results

    made = []
    order = world.players
    for number in range(count):
        first, second = order[(2 * number) % len(order)], order[(2 * number + 1) % len(order)]
        seats = [[matches.Seat(first.pk)], [matches.Seat(second.pk)]]
        match = matches.create(
            queue=world.queue,
            season=world.season,
            seats=seats,
            quality=None,
            now=timezone.now(),
            state=Match.State.ASSIGNED,
        )
        results.report(match_id=match.pk, actor=first, revision=0, winner=number % 2, scores=None, now=timezone.now())
        results.confirm(match_id=match.pk, actor=second, revision=1, now=timezone.now())
        made.append(match.pk)
    return made


def _drained_by_worker() -> float:
    """Seconds from the first to the last rated match of one worker process with one thread of work."""
    from django.db.models import Max, Min

    from ladder.models import Match

    command = ["celery", "-A", "ladder.project.celery", "worker", "--pool", "solo", "--loglevel", "error"]
    worker = subprocess.Popen([sys.executable, "-m", *command], cwd=ROOT, start_new_session=True)
    waiting = Match.objects.filter(state=Match.State.COMPLETED, rated_at=None)
    try:
        while waiting.exists():
            time.sleep(0.2)
    finally:
        worker.terminate()
        worker.wait(timeout=20)
    span = Match.objects.aggregate(first=Min("rated_at"), last=Max("rated_at"))
    return float((span["last"] - span["first"]).total_seconds())


def _rated_in_process(backlog: list[Any]) -> float:
    from django.utils import timezone

    from ladder.services.rating import rate_match

    begun = time.perf_counter()
    for match_id in backlog:
        rate_match(match_id=match_id, now=timezone.now())
    return time.perf_counter() - begun


def import_per_second() -> dict[str, Any]:
    """manage.py import_matches on the whole leagues.csv into an empty queue, as a process of its own."""
    world = _club(players=0)
    begun = time.perf_counter()
    command = [sys.executable, "manage.py", "import_matches", "--queue", f"{world.club.slug}/{world.queue.slug}"]
    done = subprocess.run([*command, str(HISTORY)], cwd=ROOT, check=False, capture_output=True, text=True)
    seconds = time.perf_counter() - begun
    if done.returncode:
        raise SystemExit(f"the import failed:\n{done.stdout}{done.stderr}")
    matches = len(HISTORY.read_text().splitlines()) - 1
    return {
        "import_matches": matches,
        "import_s": round(seconds, 1),
        "import_matches_per_s": round(matches / seconds, 1),
    }


def _club(*, players: int) -> Any:
    """A club with one 1v1 queue, an open season and so many members, all made through the doors."""
    from types import SimpleNamespace

    from django.utils import timezone

    from ladder.models import Player
    from ladder.services import clubs, queues, seasons

    now = timezone.now()
    tag = f"b{Player.objects.count()}"
    owner = Player.objects.create_user(f"owner-{tag}", f"owner-{tag}@example.org", PASSWORD)
    club = clubs.create_club(name=f"Bench {tag}", slug=f"bench-{tag}", time_zone="UTC", owner=owner, now=now)
    queue = queues.create_queue(club=club, actor=owner, name="Singles", slug="singles", game_name="Chess", now=now)
    season = seasons.create_season(
        club=club, actor=owner, name="Season", slug="s", queues=[queue], starts_at=now, ends_at=None, now=now
    )
    seasons.open_season(season=season, actor=owner, now=now)
    members = []
    for number in range(players):
        player = Player.objects.create_user(f"{tag}-player-{number}", f"{tag}-{number}@example.org", PASSWORD)
        clubs.join_club(club=club, player=player, self_assessment="club", token=None, now=now)
        members.append(player)
    return SimpleNamespace(club=club, queue=queue, season=season, players=members)


PARTS: dict[str, tuple[str, Callable[[], dict[str, Any]], bool]] = {
    "start": ("bin/serve, twice", seconds_to_first_page, False),
    "ready": ("Join to ready check, in two browsers", join_to_ready_check, True),
    "rate": ("a backlog of results through one worker", results_rated_per_second, True),
    "import": ("import of a whole history", import_per_second, True),
}


def main() -> None:
    """Measure the chosen parts and show the figures."""
    parser = arguments("Figures of the whole loop.")
    parser.add_argument("--only", default=",".join(PARTS), help=f"some of {', '.join(PARTS)}")
    options = parser.parse_args()
    chosen = options.only.split(",")
    if unknown := set(chosen) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    figures: dict[str, Any] = {}
    for name in (one for one in chosen if not PARTS[one][2]):
        progress(PARTS[name][0], as_json=options.json)
        figures |= PARTS[name][1]()
    if in_database := [one for one in chosen if PARTS[one][2]]:
        with own_database():
            for name in in_database:
                progress(PARTS[name][0], as_json=options.json)
                figures |= PARTS[name][1]()
    show(figures, as_json=options.json)


if __name__ == "__main__":
    main()
