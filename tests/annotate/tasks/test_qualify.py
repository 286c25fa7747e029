"""Responses chosen for the qualification before anything is assigned: answered by an adjudicator, then served."""

import pytest
from django.urls import reverse

from annotate.adjudication.decide import decide
from annotate.adjudication.queue import queue_of
from annotate.models import Assignment, Dataset, Role, Task
from annotate.qualification.choose import KindError
from annotate.tasks.assign import assign
from annotate.tasks.qualify import choosable, choose, qualification_tasks_of
from annotate.tasks.serving import open_next
from annotate.tasks.table import sizes
from tests.annotate.qualification.work import answer, work_task
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    dataset = make_dataset()
    dataset.qualification_pass = 0.75
    dataset.save()
    return dataset


@pytest.fixture
def dora(dataset):
    return make_person("dora", dataset, Role.ADJUDICATOR)


def answered(response, who) -> None:
    for segment in response.segments.all():
        decide((segment.pk, None), who, "supported", why="It is so.")


def test_responses_are_chosen_before_anything_is_assigned(dataset):
    chosen, other = make_response(dataset), make_response(dataset)
    assert choose(dataset, {chosen.pk}) == 1
    task = Task.objects.get()
    assert (task.kind, list(task.responses.all())) == ("qualification", [chosen])
    other.refresh_from_db()
    assert other.task is None
    assert not Assignment.objects.exists()


def test_what_is_chosen_is_not_assigned_as_work(dataset):
    chosen, other = make_response(dataset), make_response(dataset)
    choose(dataset, {chosen.pk})
    make_person("ada", dataset)
    assign(dataset, ["ada"], 0, 7)
    assert [each.task.responses.get() for each in Assignment.objects.all()] == [other]


def test_an_adjudicator_answers_what_nobody_has_labelled(dataset, dora):
    response = make_response(dataset)
    choose(dataset, {response.pk})
    assert len(queue_of(dataset).cases) == 2
    assert [each.unanswered for each in qualification_tasks_of(dataset)] == [2]
    answered(response, dora)
    assert queue_of(dataset).cases == ()
    assert [each.unanswered for each in qualification_tasks_of(dataset)] == [0]


def test_it_is_served_once_every_unit_has_an_answer(client, dataset, dora):
    response = make_response(dataset)
    choose(dataset, {response.pk})
    ada = make_person("ada", dataset)
    assert open_next(dataset, ada) is None
    client.force_login(ada)
    page = client.get(reverse("qualification", args=[dataset.pk])).content.decode()
    assert "The next task is not ready yet." in page
    assert "Continue the qualification" not in page
    answered(response, dora)
    served = open_next(dataset, ada)
    assert served.task.responses.get() == response


def test_no_work_comes_before_it_while_answers_are_missing(dataset):
    work_task(dataset)
    choose(dataset, {make_response(dataset).pk})
    assert open_next(dataset, make_person("ada", dataset)) is None


def test_a_whole_lab_qualifies_without_a_file_of_answers(dataset, dora):
    response = make_response(dataset)
    choose(dataset, {response.pk})
    answered(response, dora)
    work_task(dataset)
    ada = make_person("ada", dataset)
    answer(open_next(dataset, ada), ("supported", "supported"))
    assert open_next(dataset, ada).task.kind == "work"


def test_all_responses_to_a_prompt_are_one_task_of_facts():
    dataset = make_dataset(scheme="factscore")
    one = make_response(dataset, ["She sings."], subject="a")
    two = make_response(dataset, ["She dances."], prompt=one.prompt, subject="b")
    for response in (one, two):
        add_facts(response, [["She does."]])
    assert choose(dataset, {two.pk}) == 1
    assert set(Task.objects.get().responses.all()) == {one, two}


def test_what_somebody_has_begun_cannot_be_chosen(dataset):
    task = work_task(dataset)
    response = task.responses.get()
    open_next(Dataset.objects.get(), make_person("ada", dataset))
    assert response not in choosable(dataset, "")
    with pytest.raises(KindError, match="ada has begun task 1"):
        choose(dataset, {response.pk})


def test_responses_are_found_by_words(dataset):
    cats, dogs = make_response(dataset, ["Cats purr."]), make_response(dataset, ["Dogs bark."])
    assert list(choosable(dataset, "purr")) == [cats]
    assert list(choosable(dataset, "")) == [cats, dogs]


def test_the_page_chooses_and_leads_to_the_first_answer(client, dataset, dora):
    response = make_response(dataset)
    client.force_login(dora)
    address = reverse("qualification-tasks", args=[dataset.pk])
    page = client.post(address, {"response": [response.pk]}, follow=True).content.decode()
    assert "1 task added to the qualification." in page
    first = response.segments.all()[0]
    case = reverse("adjudicate-segment", args=[dataset.pk, first.pk])
    assert f'href="{case}"' in page


def test_gold_that_came_with_the_file_needs_no_answers(dataset):
    response = make_response(dataset)
    for segment in response.segments.all():
        add_gold(segment, "supported")
    choose(dataset, {response.pk})
    assert open_next(dataset, make_person("ada", dataset)).task.kind == "qualification"


def test_nothing_ticked_says_so(client, dataset, dora):
    client.force_login(dora)
    page = client.post(reverse("qualification-tasks", args=[dataset.pk]), follow=True).content.decode()
    assert "select at least one response" in page


def test_the_counts_of_assignments_leave_qualifications_out(dataset, dora):
    chosen, _ = make_response(dataset), make_response(dataset)
    choose(dataset, {chosen.pk})
    answered(chosen, dora)
    ada = make_person("ada", dataset)
    assign(dataset, ["ada"], 0, 7)
    answer(open_next(dataset, ada), ("supported", "supported"))
    assert Assignment.objects.filter(state=Assignment.State.SUBMITTED).count() == 1
    assert {state: number for state, number in sizes(dataset).items() if number} == {
        "tasks": 1,
        "qualification": 1,
        "reserved": 1,
    }
