"""Issue "First light", real input: an import tells how far it is, and the demo's bots play."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.utils import timezone

from ladder.models import Match
from ladder.services.imports import Source, import_matches
from matchmaking.demo.setup import ensure_demo
from tests.demo.test_demo_club import live_until
from tests.ladder.world import World

pytestmark = pytest.mark.service


def long_history(rows: int) -> str:
    lines = [f"2024-01-{1 + number * 30 // rows:02},Ann,Player {number % 7},1,0,1,{number}" for number in range(rows)]
    return "\n".join(["date,team_a,team_b,score_a,score_b,result,round", *lines, ""])


def test_an_import_tells_how_far_it_is(world: World) -> None:
    told: list[tuple[int, int]] = []

    import_matches(
        queue=world.queue,
        actor=world.olga,
        sources=[Source("long.csv", long_history(1200).encode())],
        now=world.now,
        progress=lambda done, total: told.append((done, total)),
    )

    assert told == [(500, 1200), (1000, 1200), (1200, 1200)]


def test_the_command_says_how_many_are_rated(world: World, tmp_path: Path) -> None:
    file, out = tmp_path / "history.csv", StringIO()
    file.write_text(long_history(60))

    call_command("import_matches", "--queue", "blitz", str(file), stdout=out)

    assert "rated 60 of 60 matches" in out.getvalue()


@pytest.mark.django_db(transaction=True)
def test_the_demo_forms_match_after_match_by_itself() -> None:
    demo = ensure_demo(now=timezone.now())
    of_the_queue = Match.objects.filter(queue=demo.queue, source=Match.Source.QUEUE)

    live_until(demo, lambda: of_the_queue.count() >= 3, seconds=60.0)

    assert not of_the_queue.filter(participants__player__last_login__isnull=False).exists(), "bots alone"
