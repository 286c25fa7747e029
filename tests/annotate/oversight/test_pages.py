"""The manager's pages."""

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Assignment, User, ViewReceipt
from annotate.people.receipts import note_receipt
from annotate.second_look.send import send
from tests.annotate.adjudication.work import judge
from tests.annotate.qualification.work import known_task, work_task
from tests.factories import add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset():
    return make_dataset()


@pytest.fixture
def dora(dataset) -> Client:
    client = Client()
    client.force_login(make_person("dora", dataset, "adjudicator"))
    return client


def skipped(dataset) -> Assignment:
    return Assignment.objects.create(
        task=work_task(dataset),
        annotator=make_person("ben"),
        place=0,
        state="skipped",
        skip_reason="I know no chemistry.",
        comment="Ask Cleo.",
    )


def listed(client, dataset, query="") -> list[str]:
    """The annotators in the table of work, in order."""
    answer = client.get(reverse("oversight-work", args=[dataset.pk]) + query)
    return [place.annotator.username for place, _ in answer.context["rows"]]


def test_empty_pages_say_what_to_do(dataset, dora):
    for name, words in (
        ("oversight", "Nobody has worked yet"),
        ("oversight-work", "No work yet"),
        ("quality", "No annotators yet"),
        ("samples", "No samples yet"),
    ):
        assert words in dora.get(reverse(name, args=[dataset.pk])).content.decode()


def test_skipped_places_and_comments_are_listed_with_their_words(dataset, dora):
    judge(work_task(dataset), "ada", {})
    skipped(dataset)
    for query in ("?state=skipped", "?state=comment", "?person=ben"):
        answer = dora.get(reverse("oversight-work", args=[dataset.pk]) + query).content.decode()
        assert "I know no chemistry." in answer
        assert "Ask Cleo." in answer
        assert ">ada</th>" not in answer
    assert "I know no chemistry." in dora.get(reverse("assign", args=[dataset.pk])).content.decode()


def test_a_unit_in_no_task_that_waits_for_a_second_look_leads_to_the_second_looks(dataset, dora):
    segment = make_response(dataset, ["Nine is even."]).segments.get()
    add_gold(segment, "not_supported")
    dataset.refresh_from_db()
    send(dataset, [(segment.pk, None)], 1, 7, dataset.gold_revision, User.objects.get(username="dora"))
    answer = dora.get(reverse("oversight", args=[dataset.pk])).content.decode()
    assert "Waiting for a second look" in answer and "no annotator left: Nine is even." in answer
    assert f'href="{reverse("second-look-cases", args=[dataset.pk])}">Go there' in answer


def test_work_is_sorted_by_what_is_asked(dataset, dora):
    for name, seconds in (("cleo", 10), ("ada", 30), ("ben", 20)):
        assignment = judge(work_task(dataset), name, {})
        Assignment.objects.filter(pk=assignment.pk).update(active_seconds=seconds)
    assert listed(dora, dataset) == ["cleo", "ada", "ben"]
    assert listed(dora, dataset, "?sort=person") == ["ada", "ben", "cleo"]
    assert listed(dora, dataset, "?sort=time") == ["ada", "ben", "cleo"]
    assert listed(dora, dataset, "?sort=latest") == ["ben", "ada", "cleo"]
    assert listed(dora, dataset, "?sort=nonsense&state=nonsense") == ["cleo", "ada", "ben"]


def test_htmx_gets_the_table_alone(dataset, dora):
    skipped(dataset)
    part = dora.get(reverse("oversight-work", args=[dataset.pk]), headers={"HX-Request": "true"}).content.decode()
    assert part.strip().startswith('<div id="work">')


def test_a_place_is_released_where_one_sees_it(dataset, dora):
    place = Assignment.objects.create(task=work_task(dataset), annotator=make_person("ada"), place=0)
    here = reverse("oversight", args=[dataset.pk])
    answer = dora.post(reverse("give-back", args=[place.pk]), {"next": here})
    place.refresh_from_db()
    assert (answer.url, place.state) == (here, "lapsed")


def test_nobody_is_led_away_from_the_site(dataset, dora):
    place = Assignment.objects.create(task=work_task(dataset), annotator=make_person("ada"), place=0)
    for elsewhere in ("https://elsewhere.example/", "//elsewhere.example/", "1", "give-back", ""):
        answer = dora.post(reverse("give-back", args=[place.pk]), {"next": elsewhere})
        assert answer.url == reverse("assign", args=[dataset.pk])


def test_the_receipt_tells_who_saw_what_and_who_had_it(dataset, dora):
    task = work_task(dataset)
    ada = make_person("ada")
    judge(task, ada, {})
    for _ in range(3):
        note_receipt(task.pk, ada, ViewReceipt.What.TASK)
    note_receipt(task.pk, make_person("dora"), ViewReceipt.What.LABELS)
    answer = dora.get(reverse("receipt", args=[task.pk]))
    receipts = [(each.who.username, each.what, each.times) for each in answer.context["receipts"]]
    assert receipts == [("ada", "task", 3), ("dora", "labels", 1)]
    assert "The task to label" in answer.content.decode()
    assert [each.annotator.username for each in answer.context["places"]] == ["ada"]


def test_kinds_are_changed_on_the_page_of_tasks(dataset, dora):
    known, unknown = known_task(dataset, "qualification"), work_task(dataset)
    address = reverse("task-kinds", args=[dataset.pk])
    answer = dora.post(address, {"task": [known.pk], "kind": "control"}, follow=True)
    assert "1 task: control from now on." in answer.content.decode()
    refused = dora.post(address, {"task": [known.pk, unknown.pk, "x"], "kind": "qualification"}, follow=True)
    assert "Not changed: task 2 has units without gold" in refused.content.decode()
    known.refresh_from_db()
    assert known.kind == "control"


def test_tasks_of_another_dataset_do_not_change(dataset, dora):
    other = known_task(make_dataset("other"), "control")
    dora.post(reverse("task-kinds", args=[dataset.pk]), {"task": [other.pk], "kind": "work"})
    other.refresh_from_db()
    assert other.kind == "control"


@pytest.mark.parametrize("name", ["oversight", "oversight-work", "quality", "samples", "assign"])
def test_queries_do_not_grow_with_the_work(dataset, dora, name, django_assert_max_num_queries):
    def grow(people):
        for person in people:
            task = work_task(dataset, wants=1)
            judge(task, make_person(person, dataset), dict.fromkeys(task.responses.get().segments.all(), "supported"))
            known = known_task(dataset, "control")
            judge(known, make_person(person), dict.fromkeys(known.responses.get().segments.all(), "supported"))

    address = reverse(name, args=[dataset.pk])
    grow(["ada", "ben"])
    with django_assert_max_num_queries(60) as few:
        dora.get(address)
    grow(["cleo", "dan", "eva", "finn", "gus"])
    with django_assert_max_num_queries(len(few)):
        dora.get(address)


def test_times_are_written_for_machines_and_people(dataset, dora):
    judged = judge(work_task(dataset), "ada", {})
    answer = dora.get(reverse("oversight", args=[dataset.pk])).content.decode()
    assert f'<time datetime="{judged.submitted_at:%Y-%m-%d}' in answer
