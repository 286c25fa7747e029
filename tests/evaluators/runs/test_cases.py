"""What an evaluator gets to see."""

import pytest

from annotate.models import Import, ReferenceLink
from evaluators.methods.base import Reference
from evaluators.runs.cases import judgeable, read_cases
from tests.factories import add_facts, make_dataset, make_response

pytestmark = pytest.mark.django_db


def case_of(response):
    return read_cases(response.dataset, [response.pk])[response.pk]


def test_a_felm_case_has_its_segments_as_units():
    response = make_response(make_dataset(), ["One is odd.", "So is two."], domain="math")
    case = case_of(response)
    assert (case.prompt, case.domain, case.response) == ("Which numbers are odd?", "math", "One is odd. So is two.")
    assert case.segments == ("One is odd.", "So is two.")
    assert [(unit.segment, unit.fact, unit.fact_id, unit.text) for unit in case.units] == [
        (0, None, None, "One is odd."),
        (1, None, None, "So is two."),
    ]


def test_a_case_has_its_references_in_their_order():
    response = make_response(make_dataset())
    ReferenceLink.objects.create(response=response, position=1, url=None, content="Odd numbers")
    ReferenceLink.objects.create(response=response, position=0, url="https://example.org/odd")
    assert case_of(response).references == (
        Reference("https://example.org/odd", None),
        Reference(None, "Odd numbers"),
    )


def test_human_facts_are_judged_and_model_facts_where_a_sentence_has_none():
    response = make_response(make_dataset(scheme="factscore"), ["She wrote.", "Ask again."])
    add_facts(response, [["She wrote.", "She lived."], []])
    add_facts(response, [["She wrote letters."], ["Ask."]], origin="model")
    response.segments.filter(position=1).update(relevant=False)
    assert [(unit.segment, unit.fact, unit.text) for unit in case_of(response).units] == [
        (0, 0, "She wrote."),
        (0, 1, "She lived."),
        (1, 0, "Ask."),  # of an irrelevant sentence (docs/statistics.md, FActScore of a subject model)
    ]


def test_an_abstention_is_not_judged():
    dataset = make_dataset(scheme="factscore")
    add_facts(make_response(dataset, ["She wrote."], subject="m", prompt="Ada"), [["She wrote."]])
    make_response(dataset, ["I do not know."], subject="m", prompt="Ben")
    assert [response.index for response in judgeable(dataset)] == ["m/Ada"]


def test_a_sentence_in_which_people_found_no_fact_leaves_nothing_to_judge():
    dataset = make_dataset(scheme="factscore")
    response = make_response(dataset, ["Well."])
    add_facts(response, [["It is well."]], origin="model")
    response.segments.update(extra={"human_facts": "empty"})
    assert not judgeable(dataset).exists()


def test_responses_of_an_unfinished_import_are_not_judged():
    dataset = make_dataset()
    make_response(dataset)
    Import.objects.update(finished_at=None)
    assert not judgeable(dataset).exists()


def test_queries_do_not_grow_with_the_number_of_responses(django_assert_num_queries):
    dataset = make_dataset()
    responses = [make_response(dataset).pk for _ in range(20)]
    # Responses with prompts, their segments, their references, their subjects' other samples.
    with django_assert_num_queries(4):
        assert len(read_cases(dataset, responses)) == 20


def test_a_response_with_facts_of_a_model_only_is_judged():
    dataset = make_dataset(scheme="factscore")
    response = make_response(dataset, ["He wrote."], prompt="Ada", subject="m")
    add_facts(response, [["He wrote."]], origin="model")
    assert list(judgeable(dataset)) == [response]
    assert [unit.text for unit in case_of(response).units] == ["He wrote."]
