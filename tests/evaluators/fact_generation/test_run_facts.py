"""Facts generated inside a run: made once, judged by the run, and unknown to gold."""

import pytest

from annotate.facts.judged import judged_facts
from annotate.models import AtomicFact, FactSet, Proposal
from annotate.segments.untouched import why_fixed
from evaluators.runs.create import create_run
from evaluators.runs.estimate import estimate
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from llm.models import Call
from tests.factories import add_facts, make_dataset, make_response
from tests.fake_dialects import SERVERS

OWN = {"facts": "generated", "demonstrations": "0"}


@pytest.fixture
def bios(db):
    """Of Ada two facts in two sentences, one of them wrong; Ben's model abstains."""
    dataset = make_dataset(scheme="factscore")
    make_response(dataset, ["She wrote and she was wrong.", "She drew."], prompt="Ada", subject="m")
    make_response(dataset, ["I'm sorry, I know nobody of that name."], prompt="Ben", subject="m")
    return dataset


def judged(dataset, **options):
    run = create_run(dataset, "factscore-no-context", model="m", parameters=OWN, **options).run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    return run


def said(run):
    return list(run.predictions.in_reading_order().values_list("fact__text", "value"))


def test_a_run_judges_the_facts_it_generates(bios, model):
    run = judged(bios)
    assert run.state == "finished"
    assert said(run) == [
        ("She wrote.", "supported"),
        ("she was wrong.", "not_supported"),
        ("She drew.", "supported"),
    ]


@pytest.mark.parametrize("server", SERVERS)
def test_lines_of_a_thought_are_no_facts(bios, model, server):
    model.control(dialects=SERVERS[server])
    assert said(judged(bios)) == [
        ("She wrote.", "supported"),
        ("she was wrong.", "not_supported"),
        ("She drew.", "supported"),
    ]


def test_a_response_that_abstains_costs_no_call(bios, model):
    judged(bios)
    # Two sentences and three facts of Ada; none of Ben.
    assert Call.objects.count() == 5
    assert list(FactSet.objects.values_list("response__index", "origin", "model")) == [("m/Ada", "generated", "m")]


def test_the_facts_are_made_once_for_every_evaluator_of_the_model(bios, model):
    judged(bios)
    made = set(AtomicFact.objects.values_list("pk", flat=True))
    again = judged(bios, name="another")
    assert set(again.predictions.values_list("fact", flat=True)) == made
    assert AtomicFact.objects.count() == 3


def test_facts_of_another_number_of_demonstrations_are_others(bios, model):
    judged(bios)
    run = create_run(
        bios, "factscore-no-context", model="m", name="nearest", parameters={**OWN, "demonstrations": "1"}
    ).run
    work_on(RunJob(), run.pk)
    assert FactSet.objects.filter(response__index="m/Ada").count() == 2
    assert run.predictions.count() == 3


def test_nobody_is_to_label_what_a_run_generated(bios, model):
    ada = bios.responses.get(index="m/Ada")
    add_facts(ada, [["She wrote."], []])
    judged(bios)
    assert [fact.text for facts in judged_facts([ada.pk]).values() for fact in facts] == ["She wrote."]


def test_facts_that_cannot_be_read_fail_their_response_alone(bios, model):
    model.control(answer="I would rather not.")
    run = judged(bios)
    assert run.state == "finished"
    assert list(run.items.values_list("state", flat=True)) == ["failed", "done"]
    assert "3 answers could not be used" in run.items.get(state="failed").error
    assert not FactSet.objects.exists()


def test_the_estimate_counts_the_sentences_and_the_facts_to_be_expected(bios, model):
    found = estimate(bios, "factscore-no-context", model="m", parameters=OWN, limit=None)
    # Ada's two sentences, and four facts expected of each; none of Ben's, which abstains.
    assert (found.responses, found.calls) == (2, 10)
    assert not FactSet.objects.exists()


def test_facts_can_still_be_proposed_after_a_run_generated_its_own(bios, model):
    judged(bios)
    ada = bios.responses.get(index="m/Ada")
    assert why_fixed(ada, Proposal.Kind.FACTS) == ""
    assert "has atomic facts" in why_fixed(ada, Proposal.Kind.SEGMENTS)
