"""Browser pages that notice what a person would not: console errors, refused scripts and styles, server errors."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Response, expect, sync_playwright

from ladder.project.embedded.layout import var_dir
from tests.harness import chromium
from tests.harness.workspace import ROOT

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}
DESKTOP = {"viewport": {"width": 1280, "height": 900}}
PATIENCE_MS = 30_000


@contextmanager
def launched_browser() -> Iterator[Browser]:
    """Headless Chromium of the system. While it lives, this thread holds an event loop: keep it short."""
    program = chromium.find()
    if program is None:
        raise RuntimeError("There is no Chromium: run bin/test (it installs it where it may), or set CHROMIUM.")
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # the ORM of the test beside that event loop
    expect.set_options(timeout=PATIENCE_MS)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=FLAGS, headless=True)
            yield browser
            browser.close()
    finally:
        os.environ.pop("DJANGO_ALLOW_ASYNC_UNSAFE")
        if before is not None:
            os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = before


@dataclass
class People:
    """Opens one browser context for each person; each has cookies, a viewport and a page of its own."""

    browser: Browser
    base_url: str
    problems: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)
    allowed: list[re.Pattern[str]] = field(default_factory=list)

    def open(self, *, phone: bool = False, **options: Any) -> Page:
        """A fresh visitor's page; `options` are Playwright's context options (color_scheme, locale ...)."""
        shape = PHONE if phone else DESKTOP
        context = self.browser.new_context(base_url=self.base_url, **{**shape, **options})
        context.set_default_timeout(PATIENCE_MS)
        context.on("page", self.watch)
        self.contexts.append(context)
        return context.new_page()

    def watch(self, page: Page) -> None:
        """Collect what goes wrong on a page."""
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.problems.append(f"script error: {error}"))
        page.on("response", self._response)

    def allow(self, pattern: str) -> None:
        """A problem that this test provokes on purpose, as a regular expression found in its text."""
        self.allowed.append(re.compile(pattern))

    def found(self) -> list[str]:
        """The problems so far that no `allow` covers."""
        return [problem for problem in self.problems if not any(rule.search(problem) for rule in self.allowed)]

    def close(self) -> None:
        """Close every context."""
        for context in self.contexts:
            context.close()

    def pages(self) -> list[Page]:
        """All open pages."""
        return [page for context in self.contexts for page in context.pages]

    def _console(self, message: ConsoleMessage) -> None:
        if str(message.location.get("url", "")).endswith("/favicon.ico"):
            return  # some builds of Chromium ask for it by themselves on pages that name no icon
        if message.type == "error" or "Content Security Policy" in message.text:
            self.problems.append(f"console: {message.text} ({message.location.get('url')})")

    def _response(self, response: Response) -> None:
        if response.status >= 500:
            self.problems.append(f"status {response.status}: {response.url}")


def screenshot(page: Page, name: str) -> Path:
    """Keep a picture of the whole page as var/screenshots/NAME.png."""
    folder = var_dir(ROOT) / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{re.sub(r'[^A-Za-z0-9._-]+', '-', name)}.png"
    page.screenshot(path=path, full_page=True)
    return path
