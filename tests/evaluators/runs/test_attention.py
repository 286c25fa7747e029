"""Runs that ended and gold that changed under their figures, as items for who started them and who reads them."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotate.adjudication.decide import decide
from annotate.attention.read import items_of
from annotate.models import Dataset, Role, User
from evaluators.models import Evaluator, Run
from tests.factories import add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    return make_dataset()


@pytest.fixture
def rhea(dataset: Dataset) -> User:
    return make_person("rhea", dataset, Role.RESEARCHER)


def make_run(dataset: Dataset, state: str, **more: object) -> Run:
    evaluator, _ = Evaluator.objects.get_or_create(name="judge", method="always-supported")
    return Run.objects.create(dataset=dataset, evaluator=evaluator, state=state, **more)


def sentences(person: User) -> list[str]:
    return [item.sentence for item in items_of(person)]


@pytest.mark.parametrize(
    ("state", "error", "sentence"),
    [
        ("finished", "", "The run of judge has finished."),
        ("failed", "The endpoint is away.", "The run of judge failed: The endpoint is away."),
        ("out_of_budget", "The budget is spent.", "The run of judge ran out of budget: The budget is spent."),
    ],
)
def test_a_run_that_ended_is_an_item_for_who_started_it(dataset, rhea, state, error, sentence):
    make_run(dataset, state, error=error, created_by=rhea)
    make_run(dataset, "running", created_by=rhea)
    sam = make_person("sam", dataset, Role.RESEARCHER)
    assert sentences(rhea) == [sentence]
    assert sentences(sam) == []


def test_a_run_of_long_ago_is_no_item(dataset, rhea):
    make_run(dataset, "finished", created_by=rhea, finished_at=timezone.now() - timedelta(days=15))
    assert sentences(rhea) == []


def test_a_run_that_was_resumed_and_ended_again_is_another_item(dataset, rhea):
    run = make_run(dataset, "failed", error="Away.", created_by=rhea)
    (first,) = items_of(rhea)
    run.state, run.error, run.finished_at = "finished", "", timezone.now()
    run.save()
    assert items_of(rhea)[0].key != first.key


def test_gold_that_changed_after_a_run_is_an_item(dataset, rhea):
    """Of two units one gets another value after the run, the other is confirmed: its figures stay."""
    dora = make_person("dora", dataset, Role.ADJUDICATOR)
    one, two = make_response(dataset).segments.all()
    add_gold(one, "supported")
    add_gold(two, "supported")
    first = decide((one.pk, None), dora, "supported", why="It is.")
    assert sentences(rhea) == []
    make_run(dataset, "finished", finished_at=timezone.now())
    decide((one.pk, None), dora, "not_supported", "reasoning", why="It is not.", seen=first.adjudication_id)
    decide((two.pk, None), dora, "supported", why="It is.")
    assert sentences(rhea) == ["1 unit has other gold since runs were measured: figures changed."]
