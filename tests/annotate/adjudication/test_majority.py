"""Clear majorities of three and more annotators, accepted in bulk by a rule."""

from collections.abc import Sequence

import pytest
from django.test import Client
from django.urls import reverse

from annotate.adjudication.decide import DecisionError
from annotate.adjudication.majority import accept_majorities, majorities_in
from annotate.models import Dataset, GoldLabel, Role, Task, User
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import add_facts, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db

NAMES = ("ada", "ben", "cleo", "dan", "eve")
YES, NO = "supported", "not_supported/knowledge/It is even."


@pytest.fixture
def dataset() -> Dataset:
    return make_dataset()


@pytest.fixture
def dora(dataset: Dataset) -> User:
    return make_person("dora", dataset, Role.ADJUDICATOR)


def judged(dataset: Dataset, *votes: Sequence[str]) -> Task:
    """A response with a segment for each sequence of votes: the first is Ada's."""
    response = make_response(dataset, [f"Claim {number}." for number in range(len(votes))])
    segments = list(response.segments.all())
    task = make_task(response, wants=len(votes[0]))
    for place, name in enumerate(NAMES[: len(votes[0])]):
        judge(task, name, {segment: said[place] for segment, said in zip(segments, votes, strict=True)})
    return task


def test_only_a_majority_that_is_large_enough_is_found(dataset):
    judged(dataset, (YES, YES, YES, NO), (YES, YES, NO, NO), (NO, NO, NO, NO))
    judged(dataset, (YES, NO, NO))
    assert [len(majorities_in(dataset, share)) for share in ("1/2", "2/3", "3/4", "4/5")] == [2, 2, 1, 0]
    with pytest.raises(DecisionError, match="how large"):
        majorities_in(dataset, "1/3")


def test_two_annotators_are_no_majority_and_types_are_told_apart(dataset):
    judged(dataset, (YES, NO))
    judged(dataset, ("not_supported/knowledge", "not_supported/reasoning", "not_supported/fooled"))
    assert majorities_in(dataset, "1/2") == []


def test_the_majority_becomes_gold_with_its_own_reason_and_references(dataset, dora):
    task = judged(dataset, (YES, NO, NO), (YES, YES, YES))
    assert accept_majorities(dataset, "2/3", dora, "Two of three.", expected=1) == 1
    gold = GoldLabel.objects.get()
    assert (gold.value, gold.error_type, gold.reason) == ("not_supported", "knowledge", "It is even.")
    assert (gold.source, gold.adjudication.who, gold.adjudication.why) == ("adjudicated", dora, "Two of three.")
    assert [link.url for link in gold.references.all()] == ["https://ben.example", "https://cleo.example"]
    task.refresh_from_db()
    assert task.closed_at is None, "the unanimous unit still waits"


@pytest.mark.parametrize(("expected", "why", "said"), [(2, "So.", "reload the page"), (1, " ", "say why")])
def test_what_changed_or_has_no_reason_is_refused(dataset, dora, expected, why, said):
    judged(dataset, (YES, NO, NO))
    with pytest.raises(DecisionError, match=said):
        accept_majorities(dataset, "2/3", dora, why, expected)
    assert not GoldLabel.objects.exists()


def test_a_sentence_that_somebody_calls_irrelevant_is_left_to_a_person(dora):
    dataset = make_dataset("lives", "factscore")
    (fact,) = add_facts(make_response(dataset, ["She sings."]), [["She sings songs."]])
    task = make_task(fact.segment.response, wants=3)
    judge(task, "ada", {fact.segment: "irrelevant"})
    for name in ("ben", "cleo"):
        judge(task, name, {fact: YES})
    assert majorities_in(dataset, "1/2") == []


def test_they_are_accepted_by_the_page(dataset, dora, client: Client):
    judged(dataset, (YES, NO, NO))
    client.force_login(dora)
    address = reverse("majorities", args=[dataset.pk])
    page = squeezed(client.get(address, {"share": "2/3"}).content.decode())
    assert "Accept 1 as dora" in page
    assert "Majority: two thirds or more of the annotators say so." in page
    assert "No such majority" in squeezed(client.get(address, {"share": "4/5"}).content.decode())
    stale = client.post(address, {"share": "2/3", "why": "So.", "expected": "3"})
    assert "reload the page" in stale.content.decode()
    answer = client.post(address, {"share": "2/3", "why": "Two of three.", "expected": "1"}, follow=True)
    assert "Gold by majority, under your name: 1 unit." in answer.content.decode()
    assert GoldLabel.objects.get().value == "not_supported"
