"""Ada, at whose door nobody has failed yet."""

import pytest
from django.core.cache import cache

from annotate.models import User
from tests.factories import make_person


@pytest.fixture(autouse=True)
def no_counts() -> None:
    cache.clear()


@pytest.fixture
def ada(db: None) -> User:
    return make_person("ada")
