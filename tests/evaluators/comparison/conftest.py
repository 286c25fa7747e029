"""What each test of comparisons begins with."""

import pytest

from core.caching import memory


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    memory.clear()
