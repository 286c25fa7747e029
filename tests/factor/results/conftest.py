"""Rhea, and the benchmark whose results she reads."""

import pytest
from django.test import Client

from annotate.models import Dataset, Role
from core.caching import memory
from factor.models import Benchmark
from tests.factor.results.scored import make_benchmark
from tests.factories import make_dataset, make_person


@pytest.fixture(autouse=True)
def _nothing_is_kept() -> None:
    """Keys of one test are those of the next."""
    memory.clear()


@pytest.fixture
def dataset() -> Dataset:
    return make_dataset()


@pytest.fixture
def benchmark(dataset: Dataset) -> Benchmark:
    return make_benchmark(dataset)


@pytest.fixture
def rhea(client: Client, dataset: Dataset) -> Client:
    client.force_login(make_person("rhea", dataset, Role.RESEARCHER))
    return client
