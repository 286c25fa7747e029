"""Which addresses wait for gold, and which of them are in dispute."""

import pytest

from annotate.adjudication.adjudication_case import read_case
from annotate.adjudication.decide import keep_sentence
from annotate.cases.addresses import AddressStatus, cases_of, open_cases
from annotate.models import Dataset, Segment, Task
from tests.annotate.adjudication.work import judge, make_task
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


def standings(dataset: Dataset) -> list[tuple[str, str]]:
    """(text, standing) of every open address."""
    texts = {segment.pk: segment.text for segment in Segment.objects.all()}
    facts = {fact.pk: fact.text for segment in Segment.objects.all() for fact in segment.facts.all()}
    return [
        (texts[case.segment] if case.fact is None else facts[case.fact], case.standing.value)
        for case in open_cases(dataset)
    ]


def test_what_annotators_judge_differently_is_in_dispute() -> None:
    dataset = make_dataset()
    one, two = (response := make_response(dataset)).segments.all()
    task = make_task(response)
    judge(task, "ada", {one: "supported", two: "supported"})
    judge(task, "ben", {one: "supported", two: "not_supported/knowledge"})
    assert standings(dataset) == [("One is odd.", "unanimous"), ("Two is odd.", "disputed")]


def test_a_difference_of_type_alone_is_a_dispute_about_an_error() -> None:
    dataset = make_dataset()
    one, two = (response := make_response(dataset)).segments.all()
    task = make_task(response)
    judge(task, "ada", {one: "not_supported/knowledge", two: "supported/knowledge"})
    judge(task, "ben", {one: "not_supported/reasoning", two: "supported"})
    assert standings(dataset) == [("One is odd.", "disputed"), ("Two is odd.", "unanimous")]


def test_nothing_is_compared_before_all_are_done() -> None:
    dataset = make_dataset()
    one, two = (response := make_response(dataset)).segments.all()
    judge(make_task(response), "ada", {one: "supported", two: "supported"})
    assert standings(dataset) == []


def test_one_annotator_suffices_where_the_task_wants_one() -> None:
    dataset = make_dataset()
    one, two = (response := make_response(dataset)).segments.all()
    judge(make_task(response, wants=1), "ada", {one: "supported", two: "not_supported"})
    assert [len(case.votes) for case in open_cases(dataset)] == [1, 1]
    assert {case.standing for case in open_cases(dataset)} == {AddressStatus.UNANIMOUS}


def test_an_address_with_gold_is_settled() -> None:
    dataset = make_dataset()
    one, two = (response := make_response(dataset)).segments.all()
    add_gold(one, "supported")
    judge(make_task(response, wants=1), "ada", {one: "supported", two: "supported"})
    assert standings(dataset) == [("Two is odd.", "unanimous")]


def test_an_address_that_nobody_judged_is_said_to_be_so() -> None:
    dataset = make_dataset()
    one, _ = (response := make_response(dataset)).segments.all()
    judge(make_task(response, wants=1), "ada", {one: "supported"})
    assert standings(dataset) == [("One is odd.", "unanimous"), ("Two is odd.", "unjudged")]


def test_the_last_revision_of_a_label_counts() -> None:
    dataset = make_dataset()
    one, two = (response := make_response(dataset)).segments.all()
    task = make_task(response)
    ada = judge(task, "ada", {one: "supported", two: "supported"})
    judge(task, "ben", {one: "not_supported", two: "supported"})
    ada.labels.create(segment=one, value="not_supported", revision=1)
    assert standings(dataset) == [("One is odd.", "unanimous"), ("Two is odd.", "unanimous")]


def test_a_sentence_irrelevant_to_one_and_judged_by_facts_to_another_is_itself_in_dispute() -> None:
    dataset = make_dataset(scheme="factscore")
    response = make_response(dataset, ("She sings.",), subject="gpt")
    (fact,) = add_facts(response, [["She sings songs."]])
    task = make_task(response)
    judge(task, "ada", {fact.segment: "irrelevant"})
    judge(task, "ben", {fact: "supported"})
    assert standings(dataset) == [("She sings.", "disputed")]


def test_a_sentence_irrelevant_to_all_has_no_facts_to_settle() -> None:
    dataset = make_dataset(scheme="factscore")
    response = make_response(dataset, ("She sings.",), subject="gpt")
    (fact,) = add_facts(response, [["She sings songs."]])
    task = make_task(response)
    judge(task, "ada", {fact.segment: "irrelevant"})
    judge(task, "ben", {fact.segment: "irrelevant"})
    assert standings(dataset) == [("She sings.", "unanimous")]


def test_the_facts_of_a_kept_sentence_are_settled_one_by_one() -> None:
    dataset = make_dataset(scheme="factscore")
    response = make_response(dataset, ("She sings.",), subject="gpt")
    (fact,) = add_facts(response, [["She sings songs."]])
    task = make_task(response)
    judge(task, "ada", {fact.segment: "irrelevant"})
    judge(task, "ben", {fact: "supported"})
    keep_sentence(fact.segment_id, make_person("dora"), "It is about her.")
    assert standings(dataset) == [("She sings songs.", "unanimous")]


def test_what_was_said_of_known_answers_is_no_vote() -> None:
    dataset = make_dataset()
    one, two = (response := make_response(dataset)).segments.all()
    task = make_task(response, wants=1)
    judge(task, "ada", {one: "supported", two: "supported"})
    assert [len(case.votes) for case in cases_of(dataset, Task.objects.all())] == [1, 1]
    Task.objects.update(kind=Task.Kind.CONTROL)
    assert [len(case.votes) for case in cases_of(dataset, Task.objects.all())] == [0, 0]


def test_the_sides_of_a_case_stand_as_at_its_hearing_and_in_no_order_of_place() -> None:
    dataset = make_dataset()
    response = make_response(dataset, tuple(f"{number} is odd." for number in range(24)))
    task = make_task(response)
    for name, value in (("ada", "supported"), ("ben", "not_supported")):
        judge(task, name, dict.fromkeys(response.segments.all(), value))
    cases = open_cases(dataset)
    assert {case.sides[0].value for case in cases} == {"supported", "not_supported"}
    for case in cases:
        case_read = read_case(Segment.objects.get(pk=case.segment), None)
        assert [vote.value for vote in case.sides] == [side.label.value for side in case_read.sides if side.label]
