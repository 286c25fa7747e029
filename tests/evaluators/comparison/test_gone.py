"""Links that name an evaluator which was removed since: every page says so and shows the rest."""

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset
from evaluators.runs.manage import archive_run, delete_run, rename_run
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db

PAGES = {
    "compare": "?evaluator=ada&evaluator=ben",
    "compare-units": "?evaluator=ada&of=ben&truth=error&said=error",
    "growing": "?one=ada&other=ben",
    "thresholds": "?evaluator=ben&beside=ada",
    "combinations": "?evaluator=ada&evaluator=ben",
    "what-to-report": "?evaluator=ada&evaluator=ben",
    "compare-people": "?evaluator=ada&evaluator=ben",
    "shares": "?evaluator=ada&evaluator=ben",
}
GONE = "This link names the evaluator “ben”, which is not here any more"


@pytest.fixture
def dataset() -> Dataset:
    """Ada, Ben and Cleo judge the two segments of eight responses, with scores."""
    dataset = make_dataset()
    for _ in range(8):
        response = make_response(dataset)
        for segment, value in zip(response.segments.all(), ("not_supported", "supported"), strict=True):
            add_gold(segment, value)
    segments = [segment for response in dataset.responses.all() for segment in response.segments.all()]
    for name in ("ada", "ben", "cleo"):
        run = add_run(dataset, {segment: "S" if segment.position else "N" for segment in segments}, name)
        run.predictions.filter(value="supported").update(score=0.9)
        run.predictions.filter(value="not_supported").update(score=0.2)
    return dataset


@pytest.fixture
def rhea(dataset) -> Client:
    client = Client()
    client.force_login(make_person("rhea", dataset, "researcher"))
    return client


def read(client: Client, dataset: Dataset, name: str) -> str:
    answer = client.get(reverse(name, args=[dataset.pk]) + PAGES[name])
    assert answer.status_code == 200
    return squeezed(answer.content.decode())


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("remove", [delete_run, archive_run, lambda run: rename_run(run, "dan")])
def test_a_saved_link_says_that_an_evaluator_is_gone(dataset, rhea, name, remove):
    assert "any more" not in read(rhea, dataset, name)
    remove(dataset.runs.get(evaluator__name="ben"))
    assert GONE in read(rhea, dataset, name)
