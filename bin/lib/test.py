"""The work of bin/test, inside the environment that bin/setup made."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(sys.argv[1])
sys.path.insert(0, str(ROOT))


from ladder.project import embedded  # noqa: E402 - the path is set above
from ladder.project.embedded.layout import var_dir  # noqa: E402 - the path is set above
from tests.harness import chromium  # noqa: E402 - the path is set above

TOOLS = Path(sys.executable).parent
TEMPLATES = [
    folder for folder in ("templates", "ladder/templates", "matchmaking/templates") if (ROOT / folder).is_dir()
]


def main() -> int:
    """All checks, then the suite; every step runs, the summary names the failed ones."""
    if len(sys.argv) > 2:
        print("test: only pytest, with your arguments; the other checks run without arguments", flush=True)
        return pytest(sys.argv[2:])
    failed = [name for name, check in checks().items() if not step(name, check)]
    missing = chromium.ensure()
    selection: list[str] = []
    if missing:
        announce_missing(missing)
        selection = ["-m", "not browser"]
    if not step("tests", lambda: pytest([*parallel(), *selection, "--durations=15"])):
        failed.append("tests")
    if missing:
        print(f"test: the browser tests did not run: {missing}", flush=True)
        if os.environ.get("CI"):
            failed.append("browser tests (they must run under CI)")
    print(f"test: FAILED: {', '.join(failed)}" if failed else "test: everything passed", flush=True)
    return 1 if failed else 0


def checks() -> dict[str, Callable[[], int]]:
    """What is checked before the suite, cheapest first."""
    return {
        "ruff check": lambda: tool("ruff", "check", "."),
        "ruff format": lambda: tool("ruff", "format", "--check", "."),
        "import contracts": lambda: tool("lint-imports"),
        "djlint lint": lambda: tool("djlint", "--lint", "--quiet", *TEMPLATES) if TEMPLATES else 0,
        "djlint format (repair: .venv/bin/djlint --reformat templates)": lambda: (
            tool("djlint", "--check", "--quiet", *TEMPLATES) if TEMPLATES else 0
        ),
        "migrations are complete": migrations_complete,
        "mypy": lambda: tool("mypy"),
    }


def step(name: str, work: Callable[[], int]) -> bool:
    """Announce, do, tell how it went; whether it went well."""
    print(f"test: {name}", flush=True)
    start = time.monotonic()
    status = work()
    took = time.monotonic() - start
    print(f"test: {name}: {'ok' if status == 0 else f'FAILED (status {status})'}, {took:.1f} s", flush=True)
    return status == 0


def tool(name: str, *arguments: str, **environment: str) -> int:
    """Run a program of the environment in the checkout."""
    command = [str(TOOLS / name), *arguments]
    env = os.environ | {"TESTING": "1"} | environment
    return subprocess.run(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, check=False).returncode


def migrations_complete() -> int:
    """On the tests' servers: the ones of bin/serve are none of a check's business."""
    with embedded.running_servers(ROOT, "test") as servers:
        urls = {"DATABASE_URL": servers.database_url, "REDIS_URL": servers.redis_url}
        return tool("python", "manage.py", "makemigrations", "--check", "--dry-run", **urls)


def pytest(arguments: list[str]) -> int:
    """The settings module is loaded by tests/conftest.py, once the database exists: nothing may name it before."""
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    command = [str(TOOLS / "python"), "-m", "pytest", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, check=False).returncode


def parallel() -> list[str]:
    """One worker for each core we may use; tests on the live application stay on one of them."""
    workers = max(2, min(8, len(os.sched_getaffinity(0))))
    return ["-n", str(workers), "--junitxml", str(var_dir(ROOT) / "junit.xml")]


def announce_missing(missing: str) -> None:
    """Before the suite too: it is long, and this is easily overlooked after it."""
    print(f"test: no browser: {missing}", flush=True)
    print("test: these tests cannot run and are left out:", flush=True)
    pytest(["--collect-only", "-q", "-m", "browser"])


if __name__ == "__main__":
    try:
        sys.exit(main())
    except embedded.EmbeddedError as error:
        sys.exit(f"test: {error}")
    except KeyboardInterrupt:
        sys.exit("test: interrupted")
