"""People of crowd platforms begin by a link, work, get their code, and stand in the list of approvals."""

import csv
import io
import re
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.models import Assignment, Dataset, OutsidePerson, RecruitmentLink, Response, Role, Segment, Task, User
from annotate.tasks.create import create_tasks
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db
PROLIFIC = {
    "name": "Pilot",
    "platform": "prolific",
    "tasks_each": "1",
    "most_people": "1",
    "completion_code": "C0DE",
    "screened_code": "0UT",
    "consent": "You *may* stop.",
}
MTURK = {"name": "HIT", "platform": "mturk", "tasks_each": "1", "most_people": "9"}


@pytest.fixture(autouse=True)
def no_counts() -> None:
    cache.clear()


@pytest.fixture
def dataset() -> Dataset:
    made = make_dataset()
    for prompt in ("Odd?", "Even?"):
        make_response(made, prompt=prompt)
    create_tasks(made)
    return made


@pytest.fixture
def dora(dataset: Dataset) -> Client:
    client = Client()
    client.force_login(make_person("dora", dataset, Role.ADJUDICATOR))
    return client


def make_link(dora: Client, dataset: Dataset, **fields: str) -> tuple[RecruitmentLink, str]:
    """The link, and its path with nobody's ids."""
    answer = dora.post(reverse("recruitment-new", args=[dataset.pk]), fields)
    found = re.search(r'value="http://testserver(/outside/\?key=[^"&]+)', answer.text)
    assert found is not None
    return RecruitmentLink.objects.get(), found[1]


def make_known(response: Response, kind: str) -> Task:
    """A task with known answers."""
    task = make_task(response)
    task.kind = kind
    task.save()
    return task


def judge_all(task: Task, person: User) -> None:
    """The person calls every unit of the task supported, and submits it."""
    judge(task, person, dict.fromkeys(Segment.objects.filter(response__task=task), "supported"))


def submit_all(known: OutsidePerson, seconds: int = 90) -> None:
    """Everything that the person holds is submitted."""
    places = Assignment.objects.filter(annotator=known.person)
    places.update(state="submitted", submitted_at=timezone.now(), active_seconds=seconds)


def test_a_person_of_prolific_begins_once_works_and_gets_the_code_of_the_study(dora: Client, dataset: Dataset) -> None:
    _, path = make_link(dora, dataset, **PROLIFIC)
    path += "&PROLIFIC_PID=p1&STUDY_ID=s1&SESSION_ID=x1"
    worker = Client()
    assert "<em>may</em>" in worker.get(path).text
    assert not OutsidePerson.objects.exists()
    assert worker.post(path)["Location"] == reverse("label-next", args=[dataset.pk])
    known = OutsidePerson.objects.get()
    assert (known.outside_id, known.submission_id, known.study_id) == ("p1", "x1", "s1")
    assert not known.person.has_usable_password()
    assert [each.role for each in known.person.memberships.all()] == [Role.ANNOTATOR]
    assert worker.get(reverse("people", args=[dataset.pk])).status_code == 403
    worker.get(reverse("label-next", args=[dataset.pk]))
    end = reverse("outside-end", args=[dataset.pk])
    assert "C0DE" not in worker.get(end).text
    submit_all(known)
    assert worker.get(reverse("label-next", args=[dataset.pk]))["Location"] == end
    assert "https://app.prolific.com/submissions/complete?cc=C0DE" in worker.get(end).text
    # Coming back is no second beginning; the id opens the work in no other browser, until Dora lets it.
    worker.post(reverse("account_logout"))
    assert worker.post(path).status_code == 302
    other = Client()
    assert other.post(path).status_code == 403
    dora.post(reverse("outside-browser", args=[known.pk]))
    assert other.post(path).status_code == 302
    assert OutsidePerson.objects.count() == 1


def test_a_link_that_is_full_closed_ended_or_not_whole_says_so(dora: Client, dataset: Dataset) -> None:
    link, path = make_link(dora, dataset, **PROLIFIC)
    Client().post(f"{path}&PROLIFIC_PID=p1")
    full = Client().post(f"{path}&PROLIFIC_PID=p2")
    assert (full.status_code, "is full" in full.text) == (410, True)
    # Who is screened out takes no place.
    OutsidePerson.objects.update(outcome="screened", finished_at=timezone.now())
    assert Client().get(f"{path}&PROLIFIC_PID=p2").status_code == 200
    dora.post(reverse("recruitment-state", args=[link.pk]), {"closed": "1"})
    assert "is closed" in Client().get(f"{path}&PROLIFIC_PID=p2").text
    dora.post(reverse("recruitment-state", args=[link.pk]), {"closed": "0"})
    RecruitmentLink.objects.update(closes_on=timezone.now().date() - timedelta(days=1))
    assert "has ended" in Client().get(f"{path}&PROLIFIC_PID=p2").text
    assert Client().get(f"{path[:-1]}&PROLIFIC_PID=p2").status_code == 404
    assert OutsidePerson.objects.count() == 1


def test_beginnings_from_one_address_are_limited(dora: Client, dataset: Dataset) -> None:
    _, path = make_link(dora, dataset, **MTURK)
    answers = [Client().post(f"{path}&workerId=w1").status_code for _ in range(31)]
    assert (answers[0], answers[-1]) == (302, 403)  # another browser each time: nothing is begun
    cache.clear()
    OutsidePerson.objects.update(device_hash="")
    worker = Client()
    assert [worker.post(f"{path}&workerId=w1").status_code for _ in range(31)][-1] == 429


def test_a_worker_of_mturk_begins_after_the_preview_and_gets_a_code_of_their_own(
    dora: Client, dataset: Dataset
) -> None:
    _, path = make_link(dora, dataset, **MTURK)
    preview = f"{path}&assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=h"
    assert "This is a preview" in Client().get(preview).text
    assert Client().post(f"{preview}&workerId=w1").status_code == 410
    codes = set()
    for name in ("w1", "w2"):
        worker = Client()
        assert worker.post(f"{path}&workerId={name}&assignmentId=a&hitId=h").status_code == 302
        worker.get(reverse("label-next", args=[dataset.pk]))
        submit_all(known := OutsidePerson.objects.get(outside_id=name))
        assert known.code in worker.get(reverse("outside-end", args=[dataset.pk])).text
        codes.add(known.code)
    assert len(codes) == 2
    assert "" not in codes


def test_who_fails_the_qualification_is_screened_out(dora: Client, dataset: Dataset) -> None:
    Dataset.objects.update(qualification_pass=0.8)
    response = make_response(dataset, prompt="Prime?")
    task = make_known(response, "qualification")
    for segment in response.segments.all():
        add_gold(segment, "not_supported")
    _, path = make_link(dora, dataset, **PROLIFIC)
    worker = Client()
    assert worker.post(f"{path}&PROLIFIC_PID=p1").status_code == 302
    person = User.objects.get(outside__outside_id="p1")
    judge_all(task, person)
    end = worker.get(reverse("outside-end", args=[dataset.pk])).text
    assert "complete?cc=0UT" in end
    assert "C0DE" not in end


def test_the_list_of_approvals_counts_work_time_and_controls(dora: Client, dataset: Dataset) -> None:
    link, path = make_link(dora, dataset, **MTURK)
    Client().post(f"{path}&workerId==1%2B1&assignmentId=a&hitId=h")
    known = OutsidePerson.objects.get()
    work = dataset.tasks.order_by("position").first()
    assert work is not None
    judge_all(work, known.person)
    right = make_response(dataset, prompt="Prime?")
    control = make_known(right, "control")
    for segment, value in zip(right.segments.all(), ("supported", "not_supported"), strict=True):
        add_gold(segment, value)
    judge_all(control, known.person)
    Assignment.objects.filter(annotator=known.person).update(active_seconds=75)
    OutsidePerson.objects.update(outcome="completed", finished_at=timezone.now())
    answer = dora.get(reverse("recruitment-csv", args=[link.pk]))
    (row,) = csv.DictReader(io.StringIO(answer.getvalue().decode("utf-8-sig")))
    # One task of work, as the control is not told; 75 s of it and 75 s of the control; one of two controls right, of
    # one prompt: Wilson's interval of a half of one draw is 0.095 to 0.905, so 0.7 is in it.
    expected = {"outside_id": "'=1+1", "state": "completed", "tasks_submitted": "1", "seconds_worked": "150"}
    expected |= {"controls": "2", "controls_agreement": "0.5", "code": known.code, "suggestion": "review"}
    assert {name: row[name] for name in expected} == expected
    page = dora.get(reverse("recruitment-link", args=[link.pk]) + "?sort=controls").text
    assert "50 %" in page
    assert "=1+1" in page


def test_a_form_without_a_code_or_parameter_makes_no_link(dora: Client, dataset: Dataset) -> None:
    page = reverse("recruitment-new", args=[dataset.pk])
    for fields in ({**PROLIFIC, "completion_code": ""}, {**PROLIFIC, "platform": "other"}):
        assert dora.post(page, fields).status_code == 422
    assert not RecruitmentLink.objects.exists()
