"""Quotas and deadlines of annotators, by domain."""

from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.models import Assignment, Dataset, User, WorkLimit
from annotate.tasks.assign import assign
from annotate.tasks.create import create_tasks
from annotate.tasks.limits import LimitError, expired_limits, limit_statuses, set_limit
from annotate.tasks.move import assign_tasks
from annotate.tasks.serving import is_anything_free, open_next
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db

TOMORROW = timezone.now().date() + timedelta(days=1)
YESTERDAY = timezone.now().date() - timedelta(days=1)


@pytest.fixture
def dataset() -> Dataset:
    """Two tasks of math, then two of science."""
    dataset = make_dataset()
    for domain in ("math", "math", "science", "science"):
        make_response(dataset, domain=domain)
    create_tasks(dataset)
    return dataset


@pytest.fixture
def ada(dataset) -> User:
    return make_person("ada", dataset)


@pytest.fixture
def dora(dataset) -> Client:
    client = Client()
    client.force_login(make_person("dora", dataset, "adjudicator"))
    return client


def served(dataset: Dataset, person: User) -> list[int]:
    """The numbers of all tasks that are served, each submitted at once."""
    numbers = []
    while (opened := open_next(dataset, person)) is not None:
        numbers.append(opened.task.position + 1)
        Assignment.objects.filter(pk=opened.pk).update(state="submitted", submitted_at=timezone.now())
    return numbers


@pytest.mark.parametrize(
    ("domain", "quota", "expected"),
    [
        ("math", 1, [1, 3, 4]),
        ("math", 0, [3, 4]),
        ("science", 1, [1, 2, 3]),
        ("", 2, [1, 2]),
        ("", 0, []),
        ("math", None, [1, 2, 3, 4]),
    ],
)
def test_a_quota_stops_what_is_served(dataset, ada, domain, quota, expected):
    set_limit(dataset, "ada", domain, quota, TOMORROW)
    assert served(dataset, ada) == expected
    assert not is_anything_free(dataset, ada)


def test_a_quota_is_that_person_s_alone(dataset, ada):
    set_limit(dataset, "ada", "", 0, None)
    assert served(dataset, make_person("ben", dataset)) == [1, 2, 3, 4]


def test_a_quota_never_stops_what_is_assigned_by_hand(dataset, ada):
    set_limit(dataset, "ada", "", 0, None)
    dora = make_person("dora", dataset, "adjudicator")
    assign_tasks(dataset, [task.pk for task in dataset.tasks.all()], [ada], dora)
    assert served(dataset, ada) == [1, 2, 3, 4]


def test_the_draw_keeps_within_quotas(dataset, ada):
    make_person("ben", dataset)
    set_limit(dataset, "ada", "math", 1, None)
    set_limit(dataset, "ben", "", 1, None)
    assign(dataset, ["ada", "ben"], overlap=1, seed=7)
    held = Assignment.objects.of(dataset).values_list("annotator__username", "task__responses__prompt__domain")
    assert sorted(domain for name, domain in held if name == "ada") == ["math", "science", "science"]
    assert len([name for name, _ in held if name == "ben"]) == 1


def test_a_deadline_that_passed_with_work_left_is_expired(dataset, ada):
    set_limit(dataset, "ada", "math", None, YESTERDAY)
    set_limit(dataset, "ada", "science", None, YESTERDAY)
    set_limit(dataset, "ada", "", 4, TOMORROW)
    now = timezone.now()
    first, last = dataset.tasks.first(), dataset.tasks.last()
    Assignment.objects.create(task=first, annotator=ada, place=0, state="submitted", submitted_at=now)
    Assignment.objects.create(task=last, annotator=ada, place=0)
    by_domain = {each.limit.domain: each for each in limit_statuses(dataset)}
    assert {domain: (each.held, each.submitted, each.is_expired) for domain, each in by_domain.items()} == {
        "math": (1, 1, False),
        "science": (1, 0, True),
        "": (2, 1, False),
    }
    assert [limit.domain for limit in expired_limits()] == ["science"]
    set_limit(dataset, "ada", "", 4, YESTERDAY)
    assert [limit.domain for limit in expired_limits()] == ["", "science"]


def test_a_limit_is_changed_in_place_and_removed_by_emptying_it(dataset, ada):
    set_limit(dataset, "ada", "math", 3, None)
    set_limit(dataset, "ada", "math", 5, date(2027, 1, 31))
    assert WorkLimit.objects.values_list("quota", "deadline").get() == (5, date(2027, 1, 31))
    assert set_limit(dataset, "ada", "math", None, None) is None
    assert not WorkLimit.objects.exists()


@pytest.mark.parametrize(
    ("name", "domain", "quota", "why"),
    [
        ("oscar", "", 1, "choose an annotator"),
        ("dora", "", 1, "choose an annotator"),
        ("ada", "chemistry", 1, "no prompts have the domain"),
        ("ada", "", 10**9, "a number from 0 to"),
    ],
)
def test_a_limit_of_nobody_or_nothing_says_why(dataset, ada, dora, name, domain, quota, why):
    with pytest.raises(LimitError, match=why):
        set_limit(dataset, name, domain, quota, None)


def test_the_table_sets_and_removes_limits_and_names_expired_ones(dataset, ada, dora):
    Assignment.objects.create(task=dataset.tasks.first(), annotator=ada, place=0)
    page = reverse("work-limits", args=[dataset.pk])
    form = {"annotator": "ada", "domain": "math", "quota": "3", "deadline": "2020-01-31"}
    html = dora.post(page, form, follow=True).content.decode()
    assert ("31 January 2020" in html, "expired" in html) == (True, True)
    dora.post(page, {"annotator": "ada", "domain": "math"})
    assert not WorkLimit.objects.exists()


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("quota", "x", "a quota is a whole number"),
        ("deadline", "soon", "a deadline is a date"),
        ("deadline", "2027-02-31", "a deadline is a date"),
    ],
)
def test_a_limit_that_is_none_says_why(dataset, ada, dora, field, value, why):
    page = reverse("work-limits", args=[dataset.pk])
    answer = dora.post(page, {"annotator": "ada", "domain": "", field: value}, follow=True)
    assert [str(message).startswith(f"Not changed: {why}") for message in answer.context["messages"]] == [True]


def test_an_annotator_sees_deadlines_and_neither_quotas_nor_counts(dataset, ada):
    """A count of work that leaves controls out would tell them from work."""
    set_limit(dataset, "ada", "math", 777, date(2027, 1, 31))
    client = Client()
    client.force_login(ada)
    html = client.get(reverse("work", args=[dataset.pk])).content.decode()
    assert ("math" in html, "31 January 2027" in html, "777" in html) == (True, True, False)
