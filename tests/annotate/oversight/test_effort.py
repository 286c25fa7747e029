"""Who did what, how long, at what cost."""

from decimal import Decimal

import pytest
from django.urls import reverse

from annotate.models import Assignment, Label, Role
from annotate.oversight.effort import cost_of, efforts_of, total
from annotate.oversight.work import pay_lines
from tests.annotate.adjudication.work import judge
from tests.annotate.qualification.work import work_task
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset():
    """Ada: two tasks of two units, one with 90 s, one from a file; Ben: 30 s on a task he skipped."""
    dataset = make_dataset()
    timed, untimed = work_task(dataset), work_task(dataset)
    for task, seconds in ((timed, 90), (untimed, 0)):
        assignment = judge(task, "ada", dict.fromkeys(task.responses.get().segments.all(), "supported"))
        Assignment.objects.filter(pk=assignment.pk).update(active_seconds=seconds)
    Label.objects.filter(pk=Label.objects.first().pk).update(flagged=True)
    Assignment.objects.create(
        task=timed, annotator=make_person("ben"), place=1, state="skipped", skip_reason="Too hard.", active_seconds=30
    )
    return dataset


def test_units_and_time_by_person(dataset):
    ada, ben = efforts_of(dataset)
    assert (ada.annotator, ada.submitted, ada.units, ada.flagged, ada.seconds) == ("ada", 2, 4, 1, 90)
    assert (ben.annotator, ben.submitted, ben.skipped, ben.units, ben.seconds) == ("ben", 0, 1, 0, 30)


def test_the_time_a_unit_takes_is_of_work_in_which_time_was_measured(dataset):
    ada, ben = efforts_of(dataset)
    # 90 s over the two units of the timed task.
    assert (ada.seconds_per_unit, ada.units_per_hour) == (45.0, 80.0)
    assert (ben.seconds_per_unit, ben.units_per_hour) == (None, None)


def test_a_revision_is_no_further_unit(dataset):
    label = Label.objects.last()
    Label.objects.create(
        assignment=label.assignment, segment=label.segment, value="not_supported", revision=1, flagged=True
    )
    assert efforts_of(dataset)[0].units == 4


def test_no_rate_no_cost(dataset):
    assert [each.cost for each in efforts_of(dataset)] == [None, None]
    assert total(efforts_of(dataset))["cost"] is None


def test_cost_is_time_at_the_hourly_rate_to_the_cent(dataset):
    dataset.hourly_rate = Decimal(30)
    # 90 s = 0.75, 30 s = 0.25: skipped work is time worked too.
    assert [each.cost for each in efforts_of(dataset)] == [Decimal("0.75"), Decimal("0.25")]
    assert total(efforts_of(dataset))["cost"] == Decimal("1.00")
    assert cost_of(1, Decimal("18.00")) == Decimal("0.01")


def test_people_are_paid_by_a_table_that_hides_which_tasks_are_controls(dataset):
    dataset.hourly_rate = Decimal(30)
    header, *rows = [line.split(",") for line in pay_lines(dataset)]
    assert "kind" not in header
    cells = [(row[0], row[1], row[2], row[5], row[6], row[8]) for row in rows]
    assert cells == [
        ("ada", "1", "submitted", "2", "90", "0.75"),
        ("ada", "2", "submitted", "2", "0", "0.00"),
        ("ben", "1", "skipped", "0", "30", "0.25"),
    ]


def test_time_that_an_earlier_version_counted_is_marked_as_too_low(dataset, client):
    assert not total(efforts_of(dataset))["undercounted"]
    Assignment.objects.filter(annotator__username="ada", task__position=0).update(undercounted=True)
    efforts = efforts_of(dataset)
    assert [(each.annotator, each.undercounted) for each in efforts] == [("ada", True), ("ben", False)]
    assert total(efforts)["undercounted"]
    client.force_login(make_person("root", dataset, Role.ADJUDICATOR))
    for name, times in (("oversight", 2), ("oversight-work", 1)):
        assert client.get(reverse(name, args=[dataset.pk])).content.decode().count(">at least</span>") == times
    assert [line.split(",")[-1].strip() for line in pay_lines(dataset)] == ["undercounted", "yes", "no", "no"]


def test_three_queries_however_many_people(dataset, django_assert_num_queries):
    for name in ("cleo", "dan"):
        judge(work_task(dataset), name, {})
    with django_assert_num_queries(3):
        assert len(efforts_of(dataset)) == 4
