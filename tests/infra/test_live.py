"""The browser tests' own ground: the live application, clean data, pages that notice problems."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.harness.live import LiveApp
from tests.harness.pages import People


def test_the_live_application_answers_and_can_lose_a_process(live_app: LiveApp, page: Page) -> None:
    live_app.kill("web")
    live_app.restart("web")

    answer = page.goto("/healthz")

    assert answer is not None
    assert answer.status == 200


def test_a_refused_script_counts_as_a_problem(people: People) -> None:
    page = people.open(phone=True)
    page.goto("/healthz")

    page.evaluate("console.error('something broke')")

    assert people.found() == ["console: something broke ()"]
    people.allow("something broke")


@pytest.mark.parametrize("name", ["alice", "bob"])
def test_data_is_committed_for_the_live_processes_and_gone_afterwards(live_db: None, name: str) -> None:
    from django.contrib.sessions.models import Session
    from django.utils import timezone

    assert not Session.objects.exists()

    Session.objects.create(session_key=name, session_data="", expire_date=timezone.now())
