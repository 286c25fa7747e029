"""An evaluator whose suggestions annotators saw is marked wherever it is compared with gold."""

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Assignment, Dataset
from core.caching import memory
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.suggestions.work import make_run
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db
NOTE = "Annotators saw suggestions of <strong>judge</strong>"


@pytest.fixture
def dataset() -> Dataset:
    """Two runs over labelled gold, the first of which can be shown."""
    memory.clear()
    dataset = make_dataset()
    first, second = make_response(dataset).segments.all()
    run = make_run(dataset)
    make_run(dataset, "other")
    work = judge(make_task(first.response), make_person("ada", dataset), {first: "supported", second: "supported"})
    Assignment.objects.filter(pk=work.pk).update(suggestion="before", suggestion_run=run.pk)
    for segment in (first, second):
        add_gold(segment, "supported")
    return dataset


def pages(dataset: Dataset) -> dict[str, str]:
    client = Client()
    client.force_login(make_person("rhea", dataset, "researcher"))
    runs = {run.evaluator.name: reverse("run", args=[run.pk]) for run in dataset.runs.select_related("evaluator")}
    addresses = runs | {name: reverse(name, args=[dataset.pk]) for name in ("leaderboard", "compare")}
    return {name: squeezed(client.get(address).content.decode()) for name, address in addresses.items()}


def test_the_evaluator_is_marked_and_no_other(dataset: Dataset) -> None:
    found = pages(dataset)
    assert {name for name, text in found.items() if NOTE in text} == {"judge", "leaderboard", "compare"}
    marks = {name: text.count("shown to annotators") for name, text in found.items()}
    assert marks == {"judge": 0, "other": 0, "leaderboard": 1, "compare": 1}


def test_nothing_is_marked_where_the_suggestions_were_withheld(dataset: Dataset) -> None:
    Assignment.objects.update(suggestion="withheld")
    assert not any(NOTE in text for text in pages(dataset).values())
