"""Two judges over a small dataset with gold, and people who look."""

import pytest
from django.test import Client

from annotate.models import Dataset
from core.caching import memory
from evaluators.models import Run
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_gold, make_dataset, make_person, make_response


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    memory.clear()


@pytest.fixture
def dataset(db: None) -> Dataset:
    """Three responses of two segments, one in science and two in math; the first segment of each is an error."""
    dataset = make_dataset()
    for number, domain in enumerate(("science", "math", "math")):
        response = make_response(dataset, [f"Wrong {number}.", f"Right {number}."], f"Prompt {number}", domain)
        first, second = response.segments.all()
        add_gold(first, "not_supported")
        add_gold(second, "supported")
    return dataset


def segments_of(dataset: Dataset) -> list:
    return [segment for response in dataset.responses.order_by("position") for segment in response.segments.all()]


def add_judge(dataset: Dataset, letters: str, name: str) -> Run:
    """A finished run that says so of the six segments in reading order; "-" says nothing."""
    said = {segment: letter for segment, letter in zip(segments_of(dataset), letters, strict=True) if letter != "-"}
    run = add_run(dataset, said, name)
    for response in dataset.responses.order_by("position"):
        run.items.create(response=response, position=response.position, state="done")
    return run


@pytest.fixture
def ada(dataset: Dataset) -> Run:
    """Right about the first and the second response, wrong about both segments of the third."""
    return add_judge(dataset, "NSNSSN", "ada")


@pytest.fixture
def ben(dataset: Dataset) -> Run:
    """Misses the first error, cannot be read at the second, finds the third; silent about the last segment."""
    return add_judge(dataset, "SS?SN-", "ben")


@pytest.fixture
def rhea(dataset: Dataset) -> Client:
    client = Client()
    client.force_login(make_person("rhea", dataset, "researcher"))
    return client
