"""FActScore's evaluators as runs: over HTTP, with a knowledge source and imported samples."""

import math

import pytest

from annotate.models import SubjectSample
from evaluators.runs.create import create_run
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from llm.models import Call
from tests.factories import add_facts, make_dataset, make_response
from tests.knowledge.sources import make_source

# Of the fake server: e^-0.25 of True against e^-3 of False.
SURE = math.exp(-0.25) / (math.exp(-0.25) + math.exp(-3))


@pytest.fixture
def bios(db):
    """Of Ada one fact, of Ben a wrong one; the source has a page of Ada alone."""
    dataset = make_dataset(scheme="factscore")
    for topic, fact in (("Ada", "She had horses."), ("Ben", "He was wrong.")):
        add_facts(make_response(dataset, [fact], prompt=topic, subject="m"), [[fact]])
    dataset.knowledge_source = make_source(Ada="Mathematicians everywhere remembered her. She rode.")
    dataset.save()
    return dataset


def work(dataset, method, **parameters):
    run = create_run(dataset, f"factscore-{method}", model="m", parameters=parameters).run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert run.state == "finished"
    return run


def said(run):
    return list(run.predictions.in_reading_order().values_list("value", "score"))


def skipped(run):
    return [item.skipped for item in run.items.order_by("position")]


def prompts():
    return [
        call.request["messages"][-1]["content"] for call in Call.objects.order_by("pk") if "messages" in call.request
    ]


def test_the_score_kept_is_the_probability(bios, model):
    assert said(work(bios, "no-context")) == [("supported", pytest.approx(SURE)), ("not_supported", 0.0)]


def test_a_base_model_is_decided_alike(bios, model):
    run = work(bios, "no-context", interface="completion")
    assert said(run) == [("supported", pytest.approx(SURE)), ("not_supported", 0.0)]


def test_without_log_probabilities_the_text_decides(bios, model):
    model.control(logprobs=False)
    assert said(work(bios, "no-context")) == [("supported", None), ("not_supported", None)]


def test_topics_without_a_page_are_counted(bios, model):
    run = work(bios, "retrieve")
    assert said(run) == [("supported", pytest.approx(SURE))]
    assert skipped(run) == [{}, {"no page of the topic": 1}]
    assert "Text: She rode." in prompts()[0]


def test_dense_retrieval_embeds_the_page(bios, model):
    work(bios, "retrieve", retrieval="dense", passages="1", embedding_model="e")
    # Characters, words and 1: (15, 3, 1) of the fact stands nearer to (13, 3, 1) than to (46, 5, 1).
    [prompt] = prompts()
    assert "Text: She rode." in prompt
    assert "Mathematicians" not in prompt


def test_imported_samples_are_what_self_check_goes_by(bios, model):
    ada = bios.responses.get(index="m/Ada")
    for position, text in enumerate(("She had a horse.", "She had horses.")):
        SubjectSample.objects.create(response=ada, position=position, text=text)
    run = work(bios, "self-check")
    assert said(run) == [("supported", 1.0)]
    assert skipped(run) == [{}, {"no other sample": 1}]
    assert Call.objects.count() == 2


def test_an_answer_is_read_again_under_another_profile_without_a_call(bios, model):
    model.control(answer="False. It is not true.", logprobs=False)
    assert {value for value, _ in said(work(bios, "no-context"))} == {"not_supported"}
    calls = Call.objects.count()
    # By itself that profile would ask at another temperature.
    asked_alike = {"profile": "released-code", "temperature": "0", "max_tokens": "1024"}
    run = create_run(bios, "factscore-no-context", model="m", name="released", parameters=asked_alike).run
    work_on(RunJob(), run.pk)
    assert {value for value, _ in said(run)} == {"supported"}
    assert Call.objects.count() == calls
