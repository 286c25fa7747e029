"""The annotator's page of the qualification, the hidden controls, and the adjudicator's word."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotate.labels.own_work import work_position_of
from annotate.models import Assignment, GoldLabel, Qualification, Task, ViewReceipt
from annotate.tasks.serving import open_next
from tests.annotate.labels.script import entry, script_saves
from tests.annotate.qualification.work import RIGHT, answer, known_task, segments_of, work_task
from tests.factories import make_dataset, make_person
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset():
    dataset = make_dataset()
    dataset.qualification_pass = 0.75
    dataset.save()
    return dataset


@pytest.fixture
def ada(dataset):
    return make_person("ada", dataset)


def logged_in(person) -> Client:
    client = Client()
    client.force_login(person)
    return client


def page_of(person, dataset) -> str:
    return logged_in(person).get(reverse("qualification", args=[dataset.pk])).content.decode()


def test_gold_is_not_told_before_all_of_it_is_submitted(dataset, ada):
    known_task(dataset, "qualification")
    known_task(dataset, "qualification")
    GoldLabel.objects.update(reason="Because of the almanac.")
    answer(open_next(dataset, ada))
    html = page_of(ada, dataset)
    assert "1 more task" in html
    assert "almanac" not in html
    assert not ViewReceipt.objects.filter(what="outcome").exists()


def test_once_finished_the_answers_and_their_reasons_are_taught_and_noted(dataset, ada):
    task = known_task(dataset, "qualification")
    GoldLabel.objects.update(reason="Because of the almanac.")
    answer(open_next(dataset, ada), ("supported", "supported"))
    html = page_of(ada, dataset)
    assert "1 of 2 (50 %)" in html
    assert "You did not pass" in html
    assert "Because of the almanac." in html
    assert (html.count("the same</p>"), html.count("different</p>")) == (1, 1)
    assert list(ViewReceipt.objects.values_list("task", "who", "what")) == [(task.pk, ada.pk, "outcome")]


def test_what_is_next_leads_by_the_answers_once_and_then_on_to_work(dataset, ada):
    known_task(dataset, "qualification")
    work_task(dataset)
    answer(open_next(dataset, ada))
    client, label_next = logged_in(ada), reverse("label-next", args=[dataset.pk])
    answers = client.get(label_next, follow=True)
    assert answers.redirect_chain[-1][0] == reverse("qualification", args=[dataset.pk])
    assert "You passed" in answers.content.decode()
    moved = client.get(label_next)
    work = Assignment.objects.get(task__kind=Task.Kind.WORK)
    assert moved.url == reverse("assignment", args=[work.key])


def test_the_number_of_tasks_stays_the_same_through_the_qualification(dataset, ada):
    for _ in range(3):
        known_task(dataset, "qualification")
    for _ in range(2):
        Assignment.objects.create(task=work_task(dataset), annotator=ada, place=0)
    shown = []
    while len(shown) < 5:
        opened = open_next(dataset, ada)
        position = work_position_of(opened)
        shown.append((position.submitted, position.all))
        answer(opened, RIGHT if opened.task.kind == "qualification" else ("supported", "supported"))
    assert shown == [(number, 5) for number in range(5)]


def test_the_workbench_too_leads_by_the_answers(dataset, ada):
    task = known_task(dataset, "qualification")
    work_task(dataset)
    opened = open_next(dataset, ada)
    entries = {str(segment.pk): entry(value) for segment, value in zip(segments_of(task), RIGHT, strict=True)}
    submitted = script_saves(opened, entries, submit=True).json()
    assert submitted == {"next": reverse("label-next", args=[dataset.pk])}
    assert not Assignment.objects.filter(task__kind=Task.Kind.WORK).exists()


def test_who_failed_is_told_what_to_do_instead_of_work(dataset, ada):
    known_task(dataset, "qualification")
    make_person("dora", dataset, "adjudicator")
    reserved = Assignment.objects.create(task=work_task(dataset), annotator=ada, place=0)
    answer(open_next(dataset, ada), ("supported", "supported"))
    client = logged_in(ada)
    for address in (reverse("label-next", args=[dataset.pk]), reverse("assignment", args=[reserved.key])):
        page = squeezed(client.get(address, follow=True).content.decode())
        assert "contact dora (who adjudicates this dataset)" in page
    reserved.refresh_from_db()
    assert reserved.state == Assignment.State.RESERVED


def test_an_adjudicator_lets_somebody_work_with_a_reason(dataset, ada):
    known_task(dataset, "qualification")
    dora = logged_in(make_person("dora", dataset, "adjudicator"))
    address = reverse("qualification-grant", args=[ada.memberships.get().pk])
    assert "Not done: enter a reason" in dora.post(address, {"why": ""}, follow=True).content.decode()
    dora.post(address, {"why": "She trained the others."})
    assert Qualification.objects.get().why == "She trained the others."
    assert "She trained the others." in page_of(ada, dataset)


def test_who_labelled_a_task_while_it_was_work_is_not_asked_to_qualify_in_it(dataset, ada):
    task = known_task(dataset, "qualification")
    before = task.known_since.replace(year=2001)
    Assignment.objects.create(task=task, annotator=ada, place=0, state="submitted", submitted_at=before)
    work = work_task(dataset)
    assert open_next(dataset, ada).task == work


def test_a_control_cannot_be_told_from_work_by_any_page_of_the_annotator(ada, dataset):
    dataset.qualification_pass, dataset.control_share = None, 0.5
    dataset.save()
    control, work = known_task(dataset, "control"), work_task(dataset, wants=1)
    client = logged_in(ada)
    for _ in range(2):
        assignment = open_next(dataset, ada)
        html = client.get(reverse("assignment", args=[assignment.key])).content.decode()
        assert not re.search(r"\bcontrol\b|qualif|known_since", html, re.IGNORECASE)
        answer(assignment)
    assert set(Task.objects.filter(assignments__annotator=ada)) == {control, work}
    submitted = client.get(reverse("work", args=[dataset.pk])).content.decode()
    assert re.findall(r"Submitted|Closed|Control|Qualification", submitted.split("<tbody>")[1]) == ["Submitted"] * 2


def test_a_task_of_the_qualification_says_so_on_its_page(dataset, ada):
    for _ in range(2):
        known_task(dataset, "qualification")
    work_task(dataset)
    client = logged_in(ada)
    for number in (1, 2):
        own = open_next(dataset, ada)
        assert f"Qualification {number} of 2" in client.get(reverse("assignment", args=[own.key])).content.decode()
        answer(own)
    work = open_next(dataset, ada)
    assert "Qualification" not in client.get(reverse("assignment", args=[work.key])).content.decode()
