"""bin/serve: everything from nothing to the first page, and back to nothing on Ctrl-C."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from ladder.project.embedded import ports, static
from ladder.project.embedded.client import Servers, ensure_servers
from ladder.project.embedded.errors import EmbeddedError
from ladder.project.embedded.first_page import FirstPage
from ladder.project.embedded.layout import Layout, var_dir
from ladder.project.embedded.locks import open_lock, try_lock
from ladder.project.embedded.output import Output
from ladder.project.embedded.private import secret_key
from ladder.project.embedded.runner import Program, Runner

ROOT = Path(__file__).resolve().parents[3]
WORKER_PROCESSES = "2"
# One after the other; a process that grew over a large history is replaced afterwards (the limit is in KiB).
REPORTS = ("--queues", "reports", "--concurrency", "1", "--max-memory-per-child", "250000")


def main() -> int:
    """Parse, serve, and turn every failure into one line that says what to do."""
    arguments = _arguments()
    try:
        var = var_dir(ROOT)
        var.mkdir(parents=True, exist_ok=True)
        with _end_on_signals(), _only_one(var) as claim:
            return _serve(arguments, var, claim)
    except EmbeddedError as error:
        sys.stderr.write(f"serve: {error}\n")
    except OSError as error:
        sys.stderr.write(f"serve: {error}. Is the checkout yours to write, and is there space on the disk?\n")
    except KeyboardInterrupt:
        sys.stderr.write("serve: stopped before it was up\n")
    return 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bin/serve", description="Run the whole application from this checkout.")
    parser.add_argument("--demo", action="store_true", help="fill a club with a real history, and let bots play in it")
    parser.add_argument("--port", type=int, help=f"listen here; without it {ports.DEFAULT_PORT} or the next free port")
    parser.add_argument("--host", default="127.0.0.1", help="listen on this address; 0.0.0.0 lets the whole network in")
    return parser.parse_args()


def _serve(arguments: argparse.Namespace, var: Path, claim: int) -> int:
    output = Output(var / "log" / "serve.log")
    offer_demo = not arguments.demo and "DATABASE_URL" not in os.environ and not Layout.of(ROOT).has_data
    with ports.listen(arguments.host, arguments.port) as listener, _servers(output) as (database_url, redis_url):
        port = listener.getsockname()[1]
        url = ports.url_of(arguments.host, port)
        if arguments.port is None and port != ports.DEFAULT_PORT:
            output.say(f"port {ports.DEFAULT_PORT} is in use; taking {port}")
        _write_claim(claim, url)
        environment = _environment(arguments.host, url, database_url, redis_url)
        _prepare(output, environment, var, demo=arguments.demo)
        runner = Runner(_programs(environment, listener, demo=arguments.demo), ROOT, output)
        first_page = FirstPage(listener, output)
        status = runner.run(first_page.answers, lambda: _announce(output, url, offer_demo=offer_demo))
    output.say("stopped")
    return status


@contextlib.contextmanager
def _servers(output: Output) -> Iterator[tuple[str, str]]:
    """The servers that the environment names; the embedded ones where it names none."""
    database_url, redis_url = os.environ.get("DATABASE_URL"), os.environ.get("REDIS_URL")
    servers: Servers | None = None
    if not (database_url and redis_url):
        servers = ensure_servers(ROOT, say=output.say)
        if servers.note:
            output.say(servers.note)
    try:
        yield (
            database_url or (servers.database_url if servers else ""),
            redis_url or (servers.redis_url if servers else ""),
        )
    finally:
        if servers is not None:
            servers.close()


def _environment(host: str, url: str, database_url: str, redis_url: str) -> dict[str, str]:
    """What the settings read; everything that the caller's environment sets already stays as it is."""
    defaults = {
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "SECRET_KEY": secret_key(ROOT) if "SECRET_KEY" not in os.environ else "",
        "SITE_URL": url,
        "ALLOWED_HOSTS": ",".join(ports.names_of(host)),
        "DJANGO_SETTINGS_MODULE": "ladder.project.settings",
    }
    return {**defaults, **os.environ, "PYTHONUNBUFFERED": "1"}


def _prepare(output: Output, environment: dict[str, str], var: Path, *, demo: bool) -> None:
    output.say("bringing the database up to date")
    _manage(output, environment, "migrate", "--no-input", "--verbosity", "0")
    if not static.is_collected(ROOT, var):
        output.say("collecting static files")
        _manage(output, environment, "collectstatic", "--no-input", "--clear", "--verbosity", "0")
        static.note_collected(ROOT, var)
    if demo:
        output.say("filling the demo club (the first time takes a while)")
        _manage(output, environment, "demo_setup")


def _manage(output: Output, environment: dict[str, str], *command: str) -> None:
    """One management command, its lines passed on as they come."""
    whole = [sys.executable, "manage.py", *command]
    with subprocess.Popen(
        whole, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                output.line(command[0], line.decode(errors="replace"))
        except BaseException:
            process.terminate()
            raise
    if process.returncode != 0:
        raise EmbeddedError(f"manage.py {command[0]} failed; its lines above say why.")


def _programs(environment: dict[str, str], listener: socket.socket, *, demo: bool) -> list[Program]:
    def program(name: str, *command: str, kind: str, fds: tuple[int, ...] = (), vital: bool = True) -> Program:
        return Program(name, [sys.executable, *command], environment | {"LADDER_PROCESS": kind}, fds, vital)

    # Celery warns about root, which is how this runs in a container; accepting JSON only makes it harmless.
    celery = ("-W", "ignore:You're running the worker", "-m", "celery", "--quiet", "-A", "ladder.project.celery")
    quiet = ("--loglevel", "warning")
    fd = listener.fileno()
    programs = [
        program("web", "-m", "ladder.project.embedded.web", str(fd), kind="web", fds=(fd,)),
        program("worker", *celery, "worker", "--concurrency", WORKER_PROCESSES, *quiet, kind="worker"),
        program("reports", *celery, "worker", *REPORTS, *quiet, kind="worker"),
        program("beat", *celery, "beat", "--scheduler", "celery.beat.Scheduler", *quiet, kind="beat"),
    ]
    if demo:
        programs.append(program("bots", "manage.py", "demo_bots", kind="command", vital=False))
    return programs


def _announce(output: Output, url: str, *, offer_demo: bool) -> None:
    output.say(f"ready: {url}   (Ctrl-C stops everything)")
    if offer_demo:
        output.say("this is the first run and there is no club yet; bin/serve --demo shows one with a history and bots")


@contextlib.contextmanager
def _only_one(var: Path) -> Iterator[int]:
    """One bin/serve per checkout: the second says where the first one answers, and ends."""
    claim = open_lock(var / "serve.lock")
    try:
        if not try_lock(claim):
            raise EmbeddedError(_claimed(var / "serve.lock"))
        _write_claim(claim, None)
        yield claim
        os.ftruncate(claim, 0)
    finally:
        os.close(claim)


def _write_claim(claim: int, url: str | None) -> None:
    os.ftruncate(claim, 0)
    os.pwrite(claim, json.dumps({"pid": os.getpid(), "url": url}).encode(), 0)


def _claimed(path: Path) -> str:
    try:
        other = json.loads(path.read_text())
    except (OSError, ValueError):
        other = {"pid": "unknown", "url": None}
    where = f"at {other['url']}" if other["url"] else "and just starting"
    return (
        f"This checkout is being served already, {where} (process {other['pid']}). Use that one, or stop it first; "
        f"a second one beside it needs a VAR_DIR of its own."
    )


@contextlib.contextmanager
def _end_on_signals() -> Iterator[None]:
    """SIGTERM and a closed terminal end the preparation like Ctrl-C does; the runner has its own way later."""

    def stop(_sign: int, _frame: object) -> NoReturn:
        raise KeyboardInterrupt

    heeded = [s for s in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(s) is not signal.SIG_IGN]
    for sign in heeded:
        signal.signal(sign, stop)
    yield


if __name__ == "__main__":
    sys.exit(main())
