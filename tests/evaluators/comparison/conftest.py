"""What each test of comparisons begins with."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    cache.clear()
