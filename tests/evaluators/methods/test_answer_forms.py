"""Answers by a JSON schema: asked for where the run says so, and read as others."""

import pytest

from evaluators.methods.answer_forms import TEXTS, in_form
from evaluators.runs.create import create_run
from evaluators.runs.progress import progress_of
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from llm.models import Adaptation, Call
from tests.factories import make_dataset, make_response
from tests.knowledge.sources import make_source

ASKED = {"json_schema": "true"}
METHODS = {
    "factool": (ASKED | {"search": "corpus", "claims": "extracted"}, {"claims", "queries", "verdict"}),
    "safe": (ASKED | {"search": "corpus", "claims": "extracted"}, {"facts"}),
    "veriscore": (ASKED | {"search": "corpus"}, {"claims"}),
    "factscore-no-context": (ASKED | {"facts": "generated", "demonstrations": "0"}, {"facts"}),
}


def make_lab(scheme):
    """Of Ada two sentences, the second of them wrong."""
    dataset = make_dataset(scheme, scheme)
    make_response(dataset, ["Ada wrote.", "Ada flew, which is wrong."], prompt="Ada", subject="m")
    dataset.knowledge_source = make_source(Ada="Ada wrote.")
    dataset.save()
    return dataset


def judged(method, parameters):
    lab = make_lab("factscore" if "facts" in parameters else "felm")
    run = create_run(lab, method, model="m", parameters=parameters).run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert run.state == "finished", run.error
    assert progress_of(run).unparsed == 0
    return run


def schemas():
    asked = [call.request["parameters"].get("response_format") for call in Call.objects.all()]
    return {each["json_schema"]["name"] for each in asked if each}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dialects", [[], ["no response format"]], ids=["obeyed", "refused"])
def test_lists_and_json_are_asked_for_by_a_schema(db, model, method, dialects):
    parameters, names = METHODS[method]
    model.control(dialects=dialects)

    run = judged(method, parameters)

    assert schemas() == names
    values = run.predictions.in_reading_order().values_list("value", flat=True)
    assert list(values) == ["supported", "not_supported"]
    assert Adaptation.objects.filter(parameter="response_format").exists() == bool(dialects)


def test_without_the_option_nothing_is_sent(db, model):
    run = judged("veriscore", {"search": "corpus"})

    assert schemas() == set()
    assert "json_schema" not in run.evaluator.parameters


def test_a_base_model_is_asked_without_a_schema():
    assert in_form({"json_schema": True, "interface": "completion"}, "facts", facts=TEXTS) == {}
    assert in_form({"json_schema": True, "interface": "chat"}, "facts", facts=TEXTS)["response_format"][
        "json_schema"
    ] == {
        "name": "facts",
        "strict": True,
        "schema": {
            "type": "object",
            "properties": {"facts": {"type": "array", "items": {"type": "string"}}},
            "required": ["facts"],
            "additionalProperties": False,
        },
    }
