"""The embedded servers: attached to, shared, stopped with the last user, started again after every kind of death."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
import redis

from ladder.project.embedded import EmbeddedError, Servers, ensure_servers, urls_for
from ladder.project.embedded.client import State, state_of
from ladder.project.embedded.layout import Layout
from tests.harness.processes import eventually, processes_of
from tests.harness.workspace import ROOT

CLIENT = """
import sys
from ladder.project.embedded import ensure_servers
servers = ensure_servers(sys.argv[1])
print("up", flush=True)
input()
"""


def answers(servers: Servers) -> bool:
    with psycopg.connect(servers.database_url) as connection, redis.Redis.from_url(servers.redis_url) as client:
        return connection.execute("SELECT current_database()").fetchone() == ("ladder",) and bool(client.ping())


def state(root: Path) -> State:
    found = state_of(Layout.of(root))
    assert found is not None
    return found


def remember(servers: Servers) -> None:
    with psycopg.connect(servers.database_url) as connection:
        connection.execute("CREATE TABLE fact (name text)")
        connection.execute("INSERT INTO fact VALUES ('alice')")


def remembers(servers: Servers) -> bool:
    with psycopg.connect(servers.database_url) as connection:
        return connection.execute("SELECT name FROM fact").fetchall() == [("alice",)]


def test_servers_start_in_a_closed_home_and_leave_its_permissions_alone(root: Path) -> None:
    with ensure_servers(root) as servers:
        assert answers(servers)
        assert (servers.database_url, servers.redis_url) == urls_for(root)

    assert root.parent.stat().st_mode & 0o777 == 0o700
    assert processes_of(root) == {}
    assert not Layout.of(root).sockets.exists()


def test_a_second_user_attaches_and_the_last_one_stops_them(root: Path) -> None:
    first, second = ensure_servers(root), ensure_servers(root)
    pids = state(root)["servers"]

    first.close()

    assert state(root)["servers"] == pids
    assert answers(second)
    second.close()
    assert processes_of(root) == {}


def test_two_checkouts_do_not_meet(root: Path, tmp_path: Path) -> None:
    with ensure_servers(root) as ours, ensure_servers(tmp_path) as theirs:
        remember(ours)
        redis.Redis.from_url(ours.redis_url).set("name", "alice")

        with psycopg.connect(theirs.database_url) as connection:
            assert connection.execute("SELECT to_regclass('fact')").fetchone() == (None,)
        assert redis.Redis.from_url(theirs.redis_url).get("name") is None


def test_a_test_instance_is_apart_from_the_one_for_people(root: Path) -> None:
    with ensure_servers(root) as people, ensure_servers(root, "test") as tests:
        assert people.database_url != tests.database_url
        assert people.redis_url != tests.redis_url


def test_a_killed_user_counts_as_gone(root: Path) -> None:
    client = subprocess.Popen(
        [sys.executable, "-c", CLIENT, str(root)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert client.stdout is not None
    assert client.stdout.readline() == b"up\n"

    client.kill()
    client.wait()

    eventually(lambda: not processes_of(root), "the servers stopped")


def test_a_killed_keeper_takes_the_servers_along_and_the_facts_stay(root: Path) -> None:
    servers = ensure_servers(root)
    remember(servers)
    os.kill(state(root)["pid"], signal.SIGKILL)
    servers.close()

    with ensure_servers(root) as again:
        assert remembers(again)


def test_everything_killed_at_once_starts_again(root: Path) -> None:
    servers = ensure_servers(root)
    remember(servers)
    for pid in processes_of(root):
        os.kill(pid, signal.SIGKILL)
    servers.close()

    with ensure_servers(root) as again:
        assert answers(again)
        assert remembers(again)


def test_a_stale_pid_file_that_names_a_living_stranger_is_cleared(root: Path) -> None:
    ensure_servers(root).close()
    stale = Layout.of(root).data / "postmaster.pid"
    stale.write_text(f"{os.getpid()}\n{Layout.of(root).data}\n1\n5432\n/tmp\n\n  1 1\nready   \n")

    with ensure_servers(root) as servers:
        assert answers(servers)


def test_sockets_left_behind_are_cleared(root: Path) -> None:
    layout = Layout.of(root)
    layout.sockets.mkdir(mode=0o700)
    for name in (".s.PGSQL.5432", "valkey.sock"):
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(str(layout.sockets / name))
    (layout.sockets / ".s.PGSQL.5432.lock").write_text(f"{os.getpid()}\n")

    with ensure_servers(root) as servers:
        assert answers(servers)


def test_an_unfinished_data_folder_is_made_anew(root: Path) -> None:
    half = Layout.of(root).data.with_name("postgres.half")
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")

    with ensure_servers(root) as servers:
        assert answers(servers)


def test_a_lost_password_is_replaced(root: Path) -> None:
    with ensure_servers(root) as servers:
        remember(servers)
    Layout.of(root).password_file.unlink()

    with ensure_servers(root) as servers:
        assert remembers(servers)


@pytest.mark.parametrize("name", ["PostgreSQL", "Valkey"])
def test_a_dead_server_comes_back(root: Path, name: str) -> None:
    with ensure_servers(root) as servers:
        os.kill(state(root)["servers"][name], signal.SIGKILL)

        def back() -> bool:
            try:
                return answers(servers)
            except (psycopg.OperationalError, redis.ConnectionError):
                return False

        eventually(lambda: not back(), "it is noticed")
        eventually(back, f"{name} answers again")


def test_a_socket_folder_of_somebody_else_is_refused_in_one_sentence(root: Path, tmp_path: Path) -> None:
    sockets = Layout.of(root).sockets
    sockets.symlink_to(tmp_path)
    try:
        with pytest.raises(EmbeddedError, match=r"belongs to somebody else .* remove it and start again"):
            ensure_servers(root)
    finally:
        sockets.unlink()


def test_a_folder_that_cannot_be_written_is_refused_in_one_sentence(root: Path) -> None:
    (root / "var").write_text("a file where a folder should be")

    with pytest.raises(EmbeddedError, match="set VAR_DIR to another folder"):
        ensure_servers(root)


def test_an_older_start_that_failed_is_not_held_against_the_next(root: Path) -> None:
    layout = Layout.of(root)
    layout.folder.mkdir(parents=True)
    layout.data.write_text("no folder")
    with pytest.raises(EmbeddedError):
        ensure_servers(root)
    layout.data.unlink()

    with ensure_servers(root) as servers:
        assert answers(servers)
    shutil.rmtree(layout.folder)
