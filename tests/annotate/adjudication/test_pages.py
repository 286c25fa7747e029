"""The adjudicator at work in the pages."""

import pytest
from django.test import Client

from annotate.models import Dataset, GoldLabel, Label, Segment, User
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import add_facts, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    """Ada and Ben disagree on the second segment only."""
    dataset = make_dataset()
    one, two = (response := make_response(dataset)).segments.all()
    task = make_task(response)
    judge(task, "ada", {one: "supported", two: "supported//Even I know."})
    judge(task, "ben", {one: "supported", two: "not_supported/knowledge/It is even."})
    return dataset


@pytest.fixture
def dora(client: Client, dataset: Dataset) -> User:
    dora = make_person("dora", dataset, "adjudicator")
    client.force_login(dora)
    return dora


def page_of(dataset: Dataset) -> str:
    return f"/datasets/{dataset.pk}/adjudicate/"


def disputed() -> Segment:
    return Segment.objects.get(position=1)


def test_the_queue_opens_with_a_dispute_and_both_reasons(client: Client, dataset: Dataset, dora: User) -> None:
    page = client.get(page_of(dataset)).content.decode()
    assert "Even I know." in page and "It is even." in page


def test_no_name_stands_beside_a_side_unless_asked_for(client: Client, dataset: Dataset, dora: User) -> None:
    address = f"{page_of(dataset)}{disputed().pk}/"
    # The references name their makers in this test: they are not counted.
    assert '<p class="quiet">ben</p>' not in client.get(address).content.decode()
    assert '<p class="quiet">ben</p>' in client.get(f"{address}?names=1").content.decode()


def test_a_side_is_taken_with_its_reason_and_references(client: Client, dataset: Dataset, dora: User) -> None:
    label = Label.objects.get(value="not_supported")
    client.post(f"{page_of(dataset)}{disputed().pk}/", {"choice": label.pk, "why": "Two is even."})
    gold = GoldLabel.objects.get()
    assert (gold.value, gold.error_type, gold.reason) == ("not_supported", "knowledge", "It is even.")
    assert [link.url for link in gold.references.all()] == ["https://ben.example"]


def test_a_third_judgement_is_written(client: Client, dataset: Dataset, dora: User) -> None:
    third = {
        "choice": "third",
        "value": "not_supported",
        "error_type": "reasoning",
        "reason": "Two is 2 × 1.",
        "references": "https://a.example\n\nhttps://b.example",
        "why": "Neither is right.",
    }
    client.post(f"{page_of(dataset)}{disputed().pk}/", third)
    gold = GoldLabel.objects.get()
    assert (gold.error_type, gold.references.count()) == ("reasoning", 2)


def test_without_a_reason_nothing_is_settled_and_what_was_written_stays(
    client: Client, dataset: Dataset, dora: User
) -> None:
    third = {"choice": "third", "value": "supported", "reason": "As I wrote."}
    page = client.post(f"{page_of(dataset)}{disputed().pk}/", third).content.decode()
    assert "Say why" in page and "As I wrote." in page
    assert GoldLabel.objects.count() == 0


def test_the_next_page_offers_to_change_what_was_settled(client: Client, dataset: Dataset, dora: User) -> None:
    address = f"{page_of(dataset)}{disputed().pk}/"
    label = Label.objects.get(value="not_supported")
    page = client.post(address, {"choice": label.pk, "why": "Yes."}, follow=True).content.decode()
    assert "Change this decision" in page and address in page


def test_htmx_gets_the_queue_alone(client: Client, dataset: Dataset, dora: User) -> None:
    page = client.get(page_of(dataset), headers={"HX-Request": "true"}).content.decode()
    assert page.strip().startswith('<div id="queue">')


def test_who_decides_what_was_decided_meanwhile_is_shown_it(client: Client, dataset: Dataset, dora: User) -> None:
    address = f"{page_of(dataset)}{disputed().pk}/"
    label = Label.objects.get(value="not_supported")
    client.post(address, {"choice": label.pk, "why": "I was first."})
    page = client.post(address, {"choice": "third", "value": "supported", "why": "And I second."}).content.decode()
    assert "has settled this meanwhile" in page and "I was first." in page
    assert GoldLabel.objects.count() == 1


def test_what_all_agree_on_is_previewed_and_accepted(client: Client, dataset: Dataset, dora: User) -> None:
    address = f"{page_of(dataset)}unanimous/"
    assert "One is odd." in client.get(address).content.decode()
    client.post(address, {"expected": "1", "why": "I read it."})
    assert GoldLabel.objects.get().source == "unanimous"


def test_the_sides_of_a_sentence_are_irrelevant_or_its_facts(client: Client) -> None:
    dataset = make_dataset("lives", "factscore")
    response = make_response(dataset, ("She sings.",), subject="gpt")
    (fact,) = add_facts(response, [["She sings songs."]])
    task = make_task(response)
    judge(task, "ada", {fact.segment: "irrelevant"})
    judge(task, "ben", {fact: "supported"})
    client.force_login(make_person("dora", dataset, "adjudicator"))
    assert "Its facts count one by one" in client.get(page_of(dataset)).content.decode()
    client.post(f"{page_of(dataset)}{fact.segment_id}/", {"choice": "keep", "why": "About her."})
    client.post(f"{page_of(dataset)}unanimous/", {"expected": "1", "why": "I read it."})
    assert GoldLabel.objects.get().fact == fact
