"""The clubs and their visitors. Models are imported late: pytest reads this file before Django has its database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.permissions.cast import Cast


@pytest.fixture
def cast(db: None) -> Cast:
    """Everybody is there."""
    from tests.permissions.cast import assemble

    return assemble()
