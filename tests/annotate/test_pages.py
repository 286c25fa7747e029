"""One's datasets, a dataset, a response, gold and people, as pages."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotate.adjudication.decide import decide
from annotate.adjudication.unanimous import accept_unanimous
from annotate.attention.read import items_of
from annotate.cases.counts import count_changed
from annotate.feedback.challenge import challenge, decline
from annotate.models import Assignment, Dataset, Guideline, Task, ViewReceipt
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.qualification.work import known_task
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


def log_in(client: Client, dataset: Dataset | None = None, role: str = "adjudicator") -> None:
    client.force_login(make_person(f"the {role}", dataset, role))


def test_who_has_no_dataset_is_told_whom_to_ask(client: Client) -> None:
    log_in(client)
    assert "Ask an adjudicator" in client.get("/").content.decode()


def test_an_annotator_is_led_to_the_next_one(client: Client) -> None:
    dataset = make_dataset()
    make_task(make_response(dataset))
    log_in(client, dataset, "annotator")
    assert f"/datasets/{dataset.pk}/label/" in client.get("/").content.decode()


def test_an_adjudicator_is_led_to_what_waits(client: Client) -> None:
    dataset = make_dataset()
    one, two = (response := make_response(dataset)).segments.all()
    judge(make_task(response, wants=1), "ada", {one: "supported", two: "supported"})
    log_in(client, dataset)
    assert "Adjudicate 1 task" in client.get("/").content.decode()


def settled_task(dataset: Dataset) -> Assignment:
    """Ada said supported of the second segment, where gold is not."""
    one, two = (response := make_response(dataset)).segments.all()
    ada, dora = make_person("ada"), make_person("dora")
    work = judge(make_task(response, wants=1), ada, {one: "supported", two: "supported"})
    decide((two.pk, None), dora, "not_supported", "reasoning", why="Two is even.")
    accept_unanimous(dataset, dora, "Read.")
    return work


def test_an_annotator_is_told_of_new_outcomes(client: Client) -> None:
    dataset = make_dataset()
    client.force_login(make_person("ada", dataset))
    work = settled_task(dataset)
    assert "1 of your tasks has new results." in client.get("/").content.decode()
    client.get(f"/assignments/{work.key}/outcome/")
    assert "has new results" not in client.get("/").content.decode()


def test_what_was_settled_anew_is_a_new_outcome(client: Client) -> None:
    dataset = make_dataset()
    client.force_login(make_person("ada", dataset))
    work = settled_task(dataset)
    client.get(f"/assignments/{work.key}/outcome/")
    Task.objects.update(closed_at=timezone.now())
    assert "1 of your tasks has new results." in client.get("/").content.decode()


def test_an_adjudicator_is_told_of_open_challenges(client: Client) -> None:
    dataset = make_dataset()
    make_person("ada", dataset)
    client.force_login(make_person("dora", dataset, "adjudicator"))
    work = settled_task(dataset)
    second = work.task.responses.get().segments.all()[1]
    doubt = challenge(work, second.pk, None, "It is odd in binary.")
    assert "1 challenge waits for an answer." in client.get("/").content.decode()
    decline(doubt, make_person("dora"), "It is not.")
    assert "waits for an answer" not in client.get("/").content.decode()


def test_counts_of_more_datasets_are_no_more_queries(client: Client) -> None:
    ada, dora = make_person("ada"), make_person("dora")
    for number in range(3):
        dataset = make_dataset(f"lab {number}")
        dataset.memberships.create(user=ada, role="annotator")
        dataset.memberships.create(user=dora, role="adjudicator")
        settled_task(dataset)
    count_changed()
    asked = []
    for person in (ada, dora):
        with CaptureQueriesContext(connection) as queries:
            items = items_of(person)
        asked.append(len(queries))
        assert [item.sentence for item in items] == (["1 of your tasks has new results."] * 3 if person == ada else [])
    # Memberships, counts, own uploads, and what has been dismissed; and rebuttals and guidelines of an annotator, or
    # workers, runs and two about counted cases of an adjudicator. Dora has nothing that could be dismissed.
    assert asked == [6, 7]


def test_a_dataset_of_others_is_not_listed(client: Client) -> None:
    make_dataset("secret")
    log_in(client, make_dataset())
    assert "secret" not in client.get("/").content.decode()


def test_responses_are_found_by_words(client: Client) -> None:
    dataset = make_dataset()
    make_response(dataset, ("Cats purr.",))
    make_response(dataset, ("Dogs bark.",))
    log_in(client, dataset)
    page = client.get(f"/datasets/{dataset.pk}/?q=purr").content.decode()
    assert "Cats purr." in page and "Dogs bark." not in page


def test_responses_are_found_by_state(client: Client) -> None:
    dataset = make_dataset()
    settled = make_response(dataset, ("Cats purr.",))
    add_gold(settled.segments.all()[0], "supported")
    make_response(dataset, ("Dogs bark.",))
    log_in(client, dataset)
    page = client.get(f"/datasets/{dataset.pk}/?state=settled").content.decode()
    assert "Cats purr." in page and "Dogs bark." not in page


def test_an_annotator_reads_the_guidelines_and_no_responses(client: Client) -> None:
    dataset = make_dataset()
    make_response(dataset, ("Cats purr.",))
    Guideline.objects.create(dataset=dataset, version=1, text="Look it up.")
    log_in(client, dataset, "annotator")
    page = client.get(f"/datasets/{dataset.pk}/").content.decode()
    assert "Look it up." in page and "Cats purr." not in page


def test_labels_are_shown_only_once_their_task_is_settled(client: Client) -> None:
    dataset = make_dataset()
    one, two = (response := make_response(dataset)).segments.all()
    judge(make_task(response, wants=1), "ada", {one: "supported//I saw it.", two: "supported"})
    log_in(client, dataset)
    assert "I saw it." not in client.get(f"/responses/{response.pk}/").content.decode()
    assert not ViewReceipt.objects.exists()
    client.post(f"/datasets/{dataset.pk}/adjudicate/unanimous/", {"expected": "2", "why": "Read."})
    assert "by ada" in client.get(f"/responses/{response.pk}/").content.decode()
    assert ViewReceipt.objects.get().what == "labels"


def test_who_reads_gold_of_known_answers_has_seen_them(client: Client) -> None:
    dataset = make_dataset()
    task = known_task(dataset, "control")
    log_in(client, dataset)
    client.get(f"/responses/{task.responses.get().pk}/")
    assert list(ViewReceipt.objects.values_list("task", "what")) == [(task.pk, "labels")]


def test_gold_is_frozen_on_its_page(client: Client) -> None:
    dataset = make_dataset()
    add_gold(make_response(dataset).segments.all()[0], "supported")
    log_in(client, dataset)
    client.post(f"/datasets/{dataset.pk}/gold/", {"name": "v1"})
    assert dataset.gold_versions.get().labels == 1


def test_what_changed_since_the_last_version_is_counted(client: Client) -> None:
    dataset = make_dataset()
    one, two = make_response(dataset).segments.all()
    add_gold(one, "supported")
    log_in(client, dataset)
    client.post(f"/datasets/{dataset.pk}/gold/", {"name": "v1"})
    client.post(f"/datasets/{dataset.pk}/adjudicate/{one.pk}/", {"choice": "third", "value": "supported", "why": "So."})
    add_gold(two, "supported")
    assert "1 new, 1 changed, 0 withdrawn" in squeezed(client.get(f"/datasets/{dataset.pk}/gold/").content.decode())


def test_agreement_says_what_to_do_before_there_is_any(client: Client) -> None:
    dataset = make_dataset()
    make_response(dataset)
    log_in(client, dataset)
    assert "No shared units yet" in client.get(f"/datasets/{dataset.pk}/agreement/").content.decode()


def test_agreement_shows_its_figures(client: Client) -> None:
    dataset = make_dataset()
    one, two = (response := make_response(dataset)).segments.all()
    task = make_task(response)
    judge(task, "ada", {one: "supported", two: "supported"})
    judge(task, "ben", {one: "supported", two: "not_supported"})
    log_in(client, dataset)
    # One of two segments agrees: 0.500; nobody called the same segment an error: 0.000.
    page = client.get(f"/datasets/{dataset.pk}/agreement/").content.decode()
    assert "0.500" in page and "0.000" in page


def test_a_member_is_added_on_the_page(client: Client) -> None:
    dataset = make_dataset()
    make_person("zoe")
    log_in(client, dataset)
    client.post(f"/datasets/{dataset.pk}/people/add/", {"name": "zoe", "role": "annotator"})
    assert dataset.memberships.filter(user__username="zoe", role="annotator").exists()


def test_guidelines_that_cannot_be_saved_stay_on_the_page(client: Client) -> None:
    dataset = make_dataset()
    Guideline.objects.create(dataset=dataset, version=1, text="Look it up.")
    log_in(client, dataset)
    page = client.post(f"/datasets/{dataset.pk}/guidelines/", {"text": "Look it up."}).content.decode()
    assert "the same as in version 1" in page and dataset.guidelines.count() == 1
