"""The items of each role, on home, on the overview and in the navigation; dismissed, and back once they change."""

from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotate.attention.read import items_in, items_of
from annotate.conversation.shared import read_shared, write_shared_message
from annotate.conversation.thread import read_as_adjudicator, read_as_annotator, write_message
from annotate.feedback.challenge import challenge, decline
from annotate.labels.returned import send_back, take_back
from annotate.models import Assignment, Dataset, Dismissal, Generation, Release, Role, Task, Upload, User
from annotate.tasks.create import create_tasks
from annotate.tasks.limits import set_limit
from annotate.tasks.places import keep_submission
from annotate.tasks.serving import open_next
from jobs.models import JobItem
from llm.models import Endpoint
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.qualification.work import answer, known_task, work_task
from tests.annotate.rebuttal.work import disputed_task
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


def sentences(person: User) -> list[str]:
    return [item.sentence for item in items_of(person)]


def qualifying(dataset: Dataset, tasks: int = 1) -> None:
    Dataset.objects.filter(pk=dataset.pk).update(qualification_pass=0.75)
    dataset.refresh_from_db()
    for _ in range(tasks):
        known_task(dataset, "qualification")


@pytest.fixture
def dataset() -> Dataset:
    return make_dataset()


@pytest.fixture
def ada(dataset: Dataset) -> User:
    return make_person("ada", dataset)


@pytest.fixture
def dora(dataset: Dataset) -> User:
    return make_person("dora", dataset, Role.ADJUDICATOR)


def settled(dataset: Dataset, person: User) -> Assignment:
    """The person called two segments supported; gold says otherwise of the second, and the task is closed."""
    one, two = (response := make_response(dataset)).segments.all()
    task = make_task(response, wants=1)
    work = judge(task, person, {one: "supported", two: "supported"})
    add_gold(one, "supported")
    add_gold(two, "not_supported")
    Task.objects.filter(pk=task.pk).update(closed_at=timezone.now())
    return work


def test_whoever_has_nothing_to_attend_to_sees_no_list(client, dataset, ada):
    client.force_login(ada)
    assert "Needs your attention" not in client.get("/").content.decode()


# Annotators


def test_a_rebuttal_that_waits_leads_to_it():
    ada, _ = disputed_task()
    (item,) = items_of(ada.annotator)
    assert item.sentence == "1 task waits for your rebuttal."
    assert item.address == reverse("rebuttal", args=[ada.key])


def test_guidelines_that_changed_since_the_last_work_are_an_item_until_work_goes_on(dataset, ada):
    dataset.guidelines.create(version=1, text="Judge.")
    work_task(dataset)
    open_next(dataset, ada)
    assert sentences(ada) == []
    dataset.guidelines.create(version=2, text="Judge well.")
    assert sentences(ada) == ["The guidelines changed: version 2."]
    Assignment.objects.update(opened_at=timezone.now())
    assert sentences(ada) == []


def test_guidelines_are_no_news_to_somebody_who_has_not_worked_yet(dataset, ada):
    for version in (1, 2):
        dataset.guidelines.create(version=version, text=f"Version {version}.")
    assert sentences(ada) == []


def test_an_open_qualification_says_how_far_it_is(dataset, ada):
    qualifying(dataset, tasks=2)
    answer(open_next(dataset, ada))
    assert sentences(ada) == ["Qualification: 1 of 2 tasks submitted. Real work comes later."]


def test_a_passed_qualification_is_no_item(dataset, ada):
    qualifying(dataset)
    answer(open_next(dataset, ada))
    assert open_next(dataset, ada) is None
    assert sentences(ada) == []


def test_results_are_an_item_until_they_are_looked_at(client, dataset, ada):
    work = settled(dataset, ada)
    assert sentences(ada) == ["1 of your tasks has new results."]
    client.force_login(ada)
    client.get(reverse("outcome", args=[work.key]))
    assert sentences(ada) == []


def test_an_answered_challenge_is_an_item_for_its_author(client, dataset, ada, dora):
    work = settled(dataset, ada)
    client.force_login(ada)
    client.get(reverse("outcome", args=[work.key]))
    second = work.task.responses.get().segments.all()[1]
    decline(challenge(work, second.pk, None, "It is odd in binary."), dora, "It is not.")
    assert sentences(ada) == ["1 of your challenges was answered."]


def test_items_of_an_annotator_are_the_same_with_controls_as_without(dataset, ada):
    """Ada has opened a control; Ben, in another dataset, a piece of work."""
    control = known_task(dataset, "control")
    Assignment.objects.create(
        task=control, annotator=ada, place=0, state="submitted", opened_at=timezone.now(), submitted_at=timezone.now()
    )
    other = make_dataset("other")
    ben = make_person("ben", other)
    Assignment.objects.create(
        task=work_task(other),
        annotator=ben,
        place=0,
        state="submitted",
        opened_at=timezone.now(),
        submitted_at=timezone.now(),
    )
    for of in (dataset, other):
        for version in (1, 2):
            of.guidelines.create(version=version, text=f"Version {version}.")
    assert sentences(ada) == sentences(ben) == ["The guidelines changed: version 2."]


# Adjudicators


def test_labelled_tasks_wait_for_adjudication(dataset, ada, dora):
    one, two = (response := make_response(dataset)).segments.all()
    judge(make_task(response, wants=1), ada, {one: "supported", two: "supported"})
    assert sentences(dora) == ["1 labelled task waits for adjudication."]


def gold_without_signature(dataset: Dataset, review: str) -> Task:
    Dataset.objects.filter(pk=dataset.pk).update(review=review)
    one, two = (response := make_response(dataset)).segments.all()
    task = make_task(response, wants=1)
    judge(task, "ada", {one: "supported", two: "supported"})
    add_gold(one, "supported")
    add_gold(two, "supported")
    return task


def test_a_settled_response_waits_for_a_signature_and_not_for_adjudication(dataset, ada, dora):
    gold_without_signature(dataset, "reviewer")
    assert sentences(dora) == ["1 response waits for your signature."]


def test_the_second_signature_is_asked_of_somebody_else_than_the_first(dataset, ada, dora):
    task = gold_without_signature(dataset, "super")
    task.responses.get().signatures.create(level="reviewer", who=dora, note="Read.")
    eve = make_person("eve", dataset, Role.ADJUDICATOR)
    assert sentences(dora) == []
    assert sentences(eve) == ["1 response waits for your signature."]


def test_one_adjudicator_learns_that_two_signatures_are_out_of_reach(dataset, dora):
    Dataset.objects.filter(pk=dataset.pk).update(review="super")
    assert sentences(dora) == [
        "1 adjudicator cannot give both signatures: add an adjudicator, or require one signature."
    ]
    make_person("eve", dataset, Role.ADJUDICATOR)
    assert sentences(dora) == []


def test_a_challenge_waits_for_an_adjudicator(dataset, ada, dora):
    work = settled(dataset, ada)
    challenge(work, work.task.responses.get().segments.all()[1].pk, None, "It is odd in binary.")
    assert sentences(dora) == ["1 challenge waits for an answer."]


def test_a_skipped_task_that_nobody_took_is_stuck(dataset, ada, dora):
    task = work_task(dataset, wants=1)
    Assignment.objects.create(task=task, annotator=ada, place=0, state="skipped", skip_reason="Too hard.")
    assert sentences(dora) == ["1 skipped or expired task needs an annotator."]
    Assignment.objects.create(task=task, annotator=make_person("ben", dataset), place=0)
    assert sentences(dora) == []


def test_a_failed_qualification_is_an_item_for_both(client, dataset, ada, dora):
    qualifying(dataset)
    answer(open_next(dataset, ada), ("supported", "supported"))
    assert sentences(ada) == ["You did not pass the qualification: see the answers and the next step."]
    (item,) = items_of(dora)
    assert item.sentence == "ada did not pass the qualification: decide the next step."
    client.force_login(dora)
    page, anchor = item.address.split("#")
    assert f'id="{anchor}"' in client.get(page).content.decode()


def test_who_passed_is_not_said_to_have_failed_before_the_next_task_is_opened(dataset, ada, dora):
    qualifying(dataset)
    answer(open_next(dataset, ada))
    assert sentences(ada) == ["You passed the qualification: see the answers, and begin real work."]
    assert sentences(dora) == []


def test_what_is_imported_midway_is_an_item_until_it_is_in_a_task(dataset, dora):
    make_response(dataset)
    assert sentences(dora) == [], "no work was made yet"
    create_tasks(dataset)
    assert sentences(dora) == []
    for _ in range(2):
        make_response(dataset)
    settled = make_response(dataset)
    for segment in settled.segments.all():
        add_gold(segment, "supported")
    assert sentences(dora) == ["2 responses are in no task: assign them to annotators."]
    Task.objects.update(probability=0.5)
    assert sentences(dora) == [], "where prompts are drawn, the others wait for a draw"
    Task.objects.update(probability=None)
    create_tasks(dataset, responses=set(dataset.responses.exclude(pk=settled.pk).values_list("pk", flat=True)))
    assert sentences(dora) == []


def test_biographies_without_facts_need_no_task_yet():
    dataset = make_dataset(scheme="factscore")
    make_person("dan", dataset, Role.ADJUDICATOR)
    add_facts(make_response(dataset), [["One."], ["Two."]])
    create_tasks(dataset)
    later = make_response(dataset)
    assert sentences(User.objects.get(username="dan")) == []
    add_facts(later, [["One."], ["Two."]])
    assert sentences(User.objects.get(username="dan")) == ["1 response is in no task: assign it to annotators."]


def test_background_work_that_stopped_is_an_item(dataset, dora):
    endpoint = Endpoint.objects.create(name="lab", base_url="http://127.0.0.1:1/v1")
    Generation.objects.create(
        dataset=dataset,
        subject="parrot",
        endpoint=endpoint,
        model="parrot",
        state="stopped",
        error="The endpoint is away.",
    )
    version = dataset.gold_versions.create(name="v1", revision=0, hash="0" * 64, labels=0, created_by=dora)
    Release.objects.create(version=version, state=JobItem.State.FAILED, settled_at=timezone.now())
    upload = {
        "file": "more.jsonl",
        "file_name": "more.jsonl",
        "dataset_name": "lab",
        "format": "felm",
        "dataset": dataset,
    }
    Upload.objects.create(**upload, uploaded_by=dora, state=JobItem.State.FAILED, error="The disk is full.")
    assert sorted(sentences(dora)) == [
        "1 collection of responses stopped before its end.",
        "1 release failed.",
        "Import of more.jsonl failed: The disk is full.",
    ]


def test_a_generation_that_somebody_stopped_is_no_item(dataset, dora):
    endpoint = Endpoint.objects.create(name="lab", base_url="http://127.0.0.1:1/v1")
    Generation.objects.create(dataset=dataset, subject="parrot", endpoint=endpoint, model="parrot", state="stopped")
    assert sentences(dora) == []


# The list


def test_a_list_holds_what_is_of_ones_role_in_one_dataset(dataset, ada, dora):
    """Dora adjudicates one dataset and annotates in another, and each overview has its own items only."""
    settled(dataset, ada)
    other = make_dataset("other")
    other.memberships.create(user=dora, role=Role.ANNOTATOR)
    settled(other, dora)
    assert sentences(dora) == ["1 of your tasks has new results."]
    assert items_in(dataset, dora, Role.ADJUDICATOR) == []
    assert [item.dataset for item in items_in(other, dora, Role.ANNOTATOR)] == [other]


@pytest.mark.parametrize("page", ["/", "/datasets/{}/"])
def test_home_and_overview_list_the_items(client, dataset, ada, page):
    settled(dataset, ada)
    client.force_login(ada)
    html = client.get(page.format(dataset.pk)).content.decode()
    assert "Needs your attention" in html
    assert "1 of your tasks has new results." in html


def test_a_dismissed_item_is_gone_until_it_changes(client, dataset, ada):
    settled(dataset, ada)
    client.force_login(ada)
    (item,) = items_of(ada)
    answer_ = client.post(reverse("attention-dismiss"), {"key": item.key, "next": f"/datasets/{dataset.pk}/"})
    assert answer_.headers["Location"] == f"/datasets/{dataset.pk}/"
    assert sentences(ada) == []
    Task.objects.filter(pk=settled(dataset, ada).task_id).update(closed_at=timezone.now() + timedelta(seconds=1))
    assert sentences(ada) == ["2 of your tasks have new results."]


def test_only_an_item_of_ones_own_can_be_dismissed(client, dataset, ada):
    settled(dataset, ada)
    (item,) = items_of(ada)
    client.force_login(make_person("ben", dataset))
    client.post(reverse("attention-dismiss"), {"key": item.key})
    client.post(reverse("attention-dismiss"), {"key": "x" * 300})
    assert not Dismissal.objects.exists()


def test_the_navigation_counts_the_items_but_not_where_people_label(client, dataset, ada):
    settled(dataset, ada)
    task = work_task(dataset)
    own = Assignment.objects.create(
        task=task,
        annotator=ada,
        place=0,
        state="open",
        opened_at=timezone.now(),
        lease_until=timezone.now() + timedelta(1),
    )
    client.force_login(ada)
    counted = 'class="number"'
    client.get("/")
    assert counted in client.get(reverse("work", args=[dataset.pk])).content.decode()
    assert counted not in client.get(reverse("assignment", args=[own.key])).content.decode()


def test_the_count_is_right_at_once_after_a_dismissal(client: Client, dataset, ada):
    settled(dataset, ada)
    client.force_login(ada)
    assert reverse("attention-count") in client.get("/account/").content.decode()
    assert 'class="number"' in client.get(reverse("attention-count")).content.decode()
    assert 'class="number"' in client.get("/account/").content.decode()
    (item,) = items_of(ada)
    client.post(reverse("attention-dismiss"), {"key": item.key})
    assert 'class="number"' not in client.get("/account/").content.decode()


def test_tasks_that_were_sent_back_wait_and_those_taken_back_do_not(dataset, ada, dora):
    works = [judge(make_task(make_response(dataset), wants=2), ada, {}) for _ in range(3)]
    for work in works[:2]:
        send_back(work, "Look again.", dora)
    take_back(works[2])
    (item,) = items_of(ada)
    address = reverse("work", args=[dataset.pk]) + "?state=open"
    assert (item.sentence, item.address) == ("2 tasks were sent back to you with a note.", address)
    keep_submission(works[0], ada)
    assert sentences(ada) == ["1 task was sent back to you with a note."]


def test_messages_wait_until_the_other_side_reads_them(dataset, ada, dora):
    work = judge(make_task(make_response(dataset), wants=2), ada, {})
    write_message(work, ada, "Is two odd?")
    assert sentences(dora) == ["1 new message from an annotator."]
    assert sentences(ada) == []
    read_as_adjudicator(work.task)
    write_message(work, dora, "No.")
    write_message(work, dora, "It is even.")
    assert sentences(dora) == []
    assert sentences(ada) == ["2 new messages from adjudicators."]
    read_as_annotator(work)
    assert sentences(ada) == []


def test_messages_to_all_wait_for_the_other_annotators_and_for_one_adjudicator(dataset, ada, dora):
    task = make_task(make_response(dataset), wants=2)
    judge(task, ada, {})
    ben = make_person("ben", dataset)
    judge(task, ben, {})
    write_shared_message(task, ada, "Is two odd?")
    new = "1 new message in conversations of all annotators of a task."
    assert (sentences(ada), sentences(ben)) == ([], [new])
    assert "1 new message of an annotator in conversations of all annotators of a task." in sentences(dora)
    assert "Is two odd?" in [line.text for line in read_shared(task, ben, names_shown=False) if line.is_new]
    read_shared(task, dora, names_shown=True)
    assert sentences(ben) == []
    assert [each for each in sentences(dora) if "message" in each] == []


def test_expired_deadlines_wait_for_an_adjudicator(dataset, ada, dora):
    Assignment.objects.create(task=make_task(make_response(dataset), wants=1), annotator=ada, place=0)
    set_limit(dataset, "ada", "", None, date(2020, 1, 31))
    assert sentences(dora) == ["1 deadline has passed with open tasks."]


def test_an_import_into_a_dataset_that_is_not_there_yet_is_an_item_on_home(client, dora):
    """On the overview of another dataset it is none; who has no dataset at all sees it too."""
    eve = make_person("eve")
    for person in (dora, eve):
        upload = {"file": "m.jsonl", "file_name": "m.jsonl", "dataset_name": "new", "format": "felm"}
        Upload.objects.create(**upload, uploaded_by=person, state=JobItem.State.FAILED, error="The disk is full.")
    (item,) = items_of(dora)
    assert (item.dataset, item.sentence) == (None, "Import of m.jsonl failed: The disk is full.")
    assert items_in(Dataset.objects.get(), dora, Role.ADJUDICATOR) == []
    client.force_login(eve)
    assert item.sentence in client.get("/").content.decode()
