"""What is said of known answers counts nowhere but against them."""

import json

import pytest

from annotate.adjudication.adjudication_case import read_case
from annotate.agreement.report import build_agreement
from annotate.cases.addresses import open_cases
from annotate.cases.close import close_settled
from annotate.export.labels import export_labels
from annotate.models import Assignment, Segment, Task
from annotate.overview.progress import own_progress, progress_of
from tests.annotate.adjudication.work import judge
from tests.annotate.qualification.work import answer, known_task, work_task
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def control():
    """A control that Ada and Ben have answered, differently; and a task of work that Ada has done."""
    dataset = make_dataset()
    ada, ben = make_person("ada", dataset), make_person("ben", dataset)
    control = known_task(dataset, "control")
    for place, (person, value) in enumerate(((ada, "supported"), (ben, "not_supported"))):
        answer(Assignment.objects.create(task=control, annotator=person, place=place), ("supported", value))
    Task.objects.update(wants=2)
    work = work_task(dataset, wants=1)
    judge(work, ada, dict.fromkeys(work.responses.get().segments.all(), "supported"))
    return control


def test_agreement_knows_nothing_of_it(control):
    assert build_agreement(control.dataset)["results"][0]["n"] == 0


def test_it_is_not_exported(control):
    rows = [json.loads(line) for line in export_labels(control.dataset)]
    assert [(row["index"], row["annotator"]) for row in rows] == [("1", "ada"), ("1", "ada")]


def test_nothing_of_it_waits_to_be_settled(control):
    assert {case.task for case in open_cases(control.dataset)} == {control.dataset.tasks.get(kind="work").pk}


def test_it_is_never_closed(control):
    assert close_settled(control.dataset, Task.objects.filter(pk=control.pk)) == 0


def test_it_is_no_side_where_gold_is_decided_anew(control):
    segment = Segment.objects.filter(response__task=control).first()
    assert read_case(segment, None).sides == ()


def test_the_manager_counts_tasks_of_work_and_the_annotator_all_they_did(control):
    assert progress_of(control.dataset).tasks == 1
    assert own_progress(control.dataset, make_person("ada")).submitted == 2
