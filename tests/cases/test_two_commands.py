"""bin/serve on servers that the environment names, and what .ci/run says where the machine offers none."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ladder.project.embedded.layout import Layout
from tests.harness.processes import eventually, processes_of
from tests.harness.workspace import ROOT
from tests.infra.conftest import copy_code, end_all, environment

NAMED = ("DATABASE_URL", "REDIS_URL", "STORE_PREFIX")


@pytest.fixture
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A checkout of its own, in which nothing has run."""
    folder = tmp_path_factory.mktemp("home") / "my ladder"
    folder.mkdir()
    copy_code(folder)
    yield folder
    end_all(folder)


def test_serve_uses_the_servers_that_the_environment_names_and_starts_none_of_its_own(
    checkout: Path, transactional_db: None
) -> None:
    named = {name: os.environ[name] for name in NAMED}
    out = checkout.parent / "out"
    with out.open("wb") as lines:
        serving = subprocess.Popen(
            [checkout / "bin" / "serve"], cwd="/", env=environment() | named, stdout=lines, stderr=lines
        )
    eventually(lambda: "ready: http" in out.read_text() or serving.poll() is not None, "it is ready", seconds=90.0)
    running = list(processes_of(checkout).values())
    serving.send_signal(signal.SIGINT)

    assert serving.wait(30) == 0, out.read_text()
    assert re.search(r"ready: http://\S+", out.read_text()), out.read_text()
    assert any("embedded.web" in line for line in running)
    assert not [line for line in running if "postgres" in line or "valkey" in line]
    assert not Layout.of(checkout).has_data, "no data of embedded servers"


def test_the_second_pass_says_plainly_when_the_machine_offers_no_servers_and_tells_no_password() -> None:
    nowhere = {
        "DATABASE_URL": "postgres://somebody:secret-word@127.0.0.1:9/postgres",
        "REDIS_URL": "redis://:other-secret@127.0.0.1:9/0",
    }

    done = subprocess.run(
        [sys.executable, "-P", ROOT / "bin" / "lib" / "outside.py", ROOT],
        env=environment() | nowhere,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    assert "no second pass on outside servers" in said
    assert "secret" not in said
