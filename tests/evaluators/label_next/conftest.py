"""What each test of label plans begins with."""

import pytest

from core.caching import memory


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    memory.clear()
