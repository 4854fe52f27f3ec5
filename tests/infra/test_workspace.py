"""The tests' own ground: a database and a key prefix for each test process."""

from __future__ import annotations

import os

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection

from tests.harness.queries import assert_queries
from tests.harness.store import forget_cached, store, wipe_store
from tests.harness.threads import run_together


@pytest.mark.django_db
def test_the_database_is_a_copy_made_for_this_process() -> None:
    name = settings.DATABASES["default"]["NAME"]

    assert name.startswith("ladder_test_")
    with assert_queries(1, "the name"), connection.cursor() as cursor:
        cursor.execute("SELECT current_database()")
        assert cursor.fetchone() == (name,)


@pytest.mark.django_db
def test_the_store_is_wiped_by_prefix_alone() -> None:
    ours, foreign = f"{settings.STORE_PREFIX}:pool", f"other-{os.getpid()}:pool"
    store().set(ours, 1)
    store().set(foreign, 1, ex=60)

    wipe_store()

    assert store().exists(ours) == 0
    assert store().exists(foreign) == 1


@pytest.mark.django_db
def test_forgetting_what_is_cached_leaves_the_store_alone() -> None:
    store().set(f"{settings.STORE_PREFIX}:pool", 1)
    cache.set("usual", 1)

    forget_cached()

    assert cache.get("usual") is None
    assert store().exists(f"{settings.STORE_PREFIX}:pool") == 1


@pytest.mark.django_db(transaction=True)
def test_threads_run_together_on_connections_of_their_own() -> None:
    def backend() -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            return int(cursor.fetchone()[0])

    first, second, third = run_together(backend, backend, lambda: 1 / 0)

    assert first != second
    assert isinstance(third, ZeroDivisionError)


@pytest.mark.django_db
def test_a_wrong_number_of_queries_lists_them() -> None:
    with pytest.raises(AssertionError, match=r"1 queries instead of 0 \(none expected\)(.|\n)*SELECT 41"):  # noqa: SIM117
        with assert_queries(0, "none expected"), connection.cursor() as cursor:
            cursor.execute("SELECT 41")
