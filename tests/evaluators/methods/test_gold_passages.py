"""Retrieval by gold: the passages that people linked to a fact as evidence, in place of retrieved ones."""

from dataclasses import replace

import pytest

from annotate.models import ReferenceLink
from evaluators.methods.base import EvidencePassage, Reference, Skip
from evaluators.runs.build import RunError
from evaluators.runs.create import create_run
from evaluators.runs.estimate import estimate
from evaluators.runs.references import read_evidence
from tests.evaluators.methods.cases import make_case
from tests.evaluators.methods.test_factscore import Telling, judge, prompts
from tests.factories import add_facts, add_gold, make_dataset, make_response

CASE = make_case(facts=[["Ada was born in 1815.", "She drew."]])
BORN, DREW = CASE.units
LINKED = EvidencePassage("Letters", "My daughter Ada, born this December of 1815.")


def shown(case, **parameters):
    """What the prompt shows for each fact that is asked about."""
    model = Telling({}, passages={"Ada Lovelace": [EvidencePassage("Ada Lovelace", "A page of the source.")]})
    outcomes = judge("retrieve", model, case, retrieval="gold", **parameters)
    assert model.searched == []
    return outcomes, prompts(model)


def test_a_fact_is_shown_the_passages_linked_to_it():
    evidence = {(unit.segment_id, unit.fact_id): (LINKED,) for unit in (BORN, DREW)}
    _, (born, drew) = shown(replace(CASE, evidence=evidence))
    assert f"Title: Letters\nText: {LINKED.text}" in born
    assert LINKED.text in drew


def test_another_facts_passages_are_not_shown_and_a_fact_without_any_is_left_out():
    outcomes, (born,) = shown(replace(CASE, evidence={(BORN.segment_id, BORN.fact_id): (LINKED,)}))
    assert LINKED.text in born
    assert outcomes[1] == Skip(DREW, "no passage that people went by")


def test_without_linked_passages_the_references_that_share_most_words_are_shown():
    references = tuple(
        Reference(url, text)
        for url, text in (("https://a.example", "Horses."), ("https://b.example", "Born in 1815."), (None, None))
    )
    _, asked = shown(replace(CASE, references=references), passages=1)
    assert "Title: https://b.example\nText: Born in 1815." in asked[0]
    assert "Horses." not in asked[0]


def test_no_more_passages_are_shown_than_asked_for():
    two = (LINKED, EvidencePassage("Diary", "She was born."))
    _, (born,) = shown(replace(CASE, evidence={(BORN.segment_id, BORN.fact_id): two}), passages=1)
    assert "Diary" not in born


@pytest.mark.django_db
class TestReading:
    @pytest.fixture
    def fact(self):
        dataset = make_dataset("lives", scheme="factscore")
        return add_facts(make_response(dataset, ["Ada was born."]), [["Ada was born."]])[0]

    def link(self, gold, position, url="https://a.example", quote="She was born.", stance="supports"):
        ReferenceLink.objects.create(gold=gold, position=position, url=url, quote=quote, stance=stance)

    def test_the_quotes_of_gold_are_read_each_once_without_what_they_are_taken_to_say(self, fact):
        gold = add_gold(fact, "supported")
        for position, quote in enumerate(("She was born.", "She was born.", "", "In London.")):
            self.link(gold, position, quote=quote)
        response = fact.segment.response_id
        passages = (
            EvidencePassage("https://a.example", "She was born."),
            EvidencePassage("https://a.example", "In London."),
        )
        assert read_evidence([response]) == {response: {(fact.segment_id, fact.pk): passages}}

    def test_what_superseded_gold_cites_is_not_read(self, fact):
        gold = add_gold(fact, "supported")
        self.link(gold, 0)
        gold.superseded = gold.segment.response.dataset.next_gold_revision()
        gold.save()
        assert read_evidence([fact.segment.response_id]) == {}

    def test_it_runs_without_a_knowledge_source_for_it_searches_none(self, fact):
        dataset = fact.segment.response.dataset
        with pytest.raises(RunError, match="needs a knowledge source"):
            create_run(dataset, "factscore-retrieve", model="amber")
        new = create_run(dataset, "factscore-retrieve", model="amber", parameters={"retrieval": "gold"})
        assert new.run.evaluator.parameters["retrieval"] == "gold"
        with pytest.raises(RunError, match="needs a knowledge source"):
            estimate(dataset, "factscore-retrieve", model="amber", limit=None)
