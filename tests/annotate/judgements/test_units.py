"""What is judged in a response."""

import pytest

from annotate.judgements.units import read, readings_of
from tests.annotate.labels.work import factscore_work, felm_work
from tests.factories import add_facts, make_dataset, make_response

pytestmark = pytest.mark.django_db


def test_felm_judges_segments():
    [reading] = readings_of(felm_work().task)
    assert [(unit.text, unit.required) for unit in reading.units()] == [("One is odd.", True), ("Two is odd.", True)]


def test_factscore_judges_facts_and_may_mark_a_sentence():
    [reading] = readings_of(factscore_work().task)
    assert [(unit.text, unit.required) for unit in reading.sentences[0].facts] == [
        ("Ada sings.", True),
        ("Ada dances.", True),
    ]
    assert not reading.sentences[0].whole.required


def test_model_facts_stand_in_where_people_wrote_none():
    dataset = make_dataset(scheme="factscore")
    response = make_response(dataset)
    add_facts(response, [["m0"], ["m1"]], origin="model")
    add_facts(response, [["h0", "h1"], []], origin="human")
    [reading] = read(dataset, [response])
    assert [[unit.text for unit in sentence.facts] for sentence in reading.sentences] == [["h0", "h1"], ["m1"]]
