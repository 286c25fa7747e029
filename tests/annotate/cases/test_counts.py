"""The numbers of cases that the database keeps are those of the cases, whatever was done in whatever order."""

import pytest
from django.core.management import call_command
from django.db import connection

from annotate.adjudication.queue import queue_of
from annotate.cases.counts import CaseCounts, count_cases
from annotate.cases.triggers import NAMES, are_there, before_migration
from annotate.models import CaseChange, CaseCount, Response
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.cases.random_work import Work, check
from tests.factories import add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["felm", "factscore"])
def scheme(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.mark.parametrize("seed", range(2))
def test_after_each_step_of_random_work_the_numbers_are_those_of_the_cases(scheme: str, seed: int) -> None:
    work = Work(scheme, seed)
    met = set()
    for number in range(48):
        work.any_step()
        if number % 3 == 2:
            met.add(check(work.dataset))
    assert len(met) > 2, "the work changes hardly anything"
    assert any(each.unanimous for each in met)


def test_a_dataset_has_numbers_of_its_own() -> None:
    first, second = (make_dataset(name) for name in ("one", "two"))
    for dataset, values in ((first, ("supported", "supported")), (second, ("supported", "not_supported"))):
        one, two = (response := make_response(dataset)).segments.all()
        task = make_task(response)
        for name, value in zip(("ada", "ben"), values, strict=True):
            judge(task, make_person(f"{name} of {dataset}"), {one: value, two: "supported"})
    assert count_cases(first) == CaseCounts(unanimous=2, disputed=0, unjudged=0)
    assert count_cases(second) == CaseCounts(unanimous=1, disputed=1, unjudged=0)
    assert queue_of(second).total == 1


def test_only_the_tasks_that_changed_are_read_again(django_assert_max_num_queries) -> None:
    dataset = make_dataset()
    for number in range(3):
        one, two = (response := make_response(dataset, prompt=f"{number}?")).segments.all()
        judge(make_task(response, wants=1), f"person{number}", {one: "supported", two: "supported"})
    assert count_cases(dataset).unanimous == 6
    kept = CaseCount.objects.order_by("pk").first()
    CaseCount.objects.filter(pk=kept.pk).update(unanimous=7)  # a count that nothing has changed since is not made anew
    add_gold(one, "supported")
    assert count_cases(dataset).unanimous == 7 + 2 + 1
    with django_assert_max_num_queries(3):
        count_cases(dataset)


def test_without_triggers_the_cases_themselves_are_counted_and_a_migration_makes_them_again() -> None:
    dataset = make_dataset()
    one, two = (response := make_response(dataset)).segments.all()
    before_migration(plan=["a migration"], using="default")
    assert not are_there(connection)
    judge(make_task(response, wants=1), "ada", {one: "supported", two: "supported"})
    assert not CaseChange.objects.exists()
    assert check(dataset).unanimous == 2
    call_command("migrate", verbosity=0)
    assert are_there(connection)
    assert CaseChange.objects.count() == 1
    assert check(dataset).unanimous == 2


def test_each_trigger_has_its_name_once() -> None:
    assert len(NAMES) == len(set(NAMES))


def test_a_task_that_is_deleted_leaves_no_numbers() -> None:
    dataset = make_dataset()
    one, two = (response := make_response(dataset)).segments.all()
    task = make_task(response, wants=1)
    judge(task, "ada", {one: "supported", two: "supported"})
    assert count_cases(dataset).total == 2
    Response.objects.filter(pk=response.pk).update(task=None)
    task.delete()
    assert count_cases(dataset).total == 0
    assert not CaseCount.objects.exists()
