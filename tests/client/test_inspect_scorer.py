"""The scorer for the real inspect_ai, against a site with a worker."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import Site
from tests.client.conftest import ROOT  # noqa: F401 - puts the client on the path
from touchstone import Touchstone

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog

ANSWERS = {
    "one": "Paris is the capital of France.",
    "two": "Paris is the capital of France. Cats sleep.",
    "silent": "",
}


@pytest.fixture
def on_the_site(site: Site, token: str, monkeypatch: pytest.MonkeyPatch) -> Touchstone:
    monkeypatch.setenv("TOUCHSTONE_URL", site.address)
    monkeypatch.setenv("TOUCHSTONE_TOKEN", token)
    return Touchstone(site.address, token)


def scored(folder: object, dataset: str, method: str) -> EvalLog:
    """Each sample's answer is the one that stands under its name."""
    # To import these takes seconds, in each process that collects the tests.
    from inspect_ai import Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    from touchstone.inspect_scorer import touchstone_scorer

    samples = [
        Sample(id=name, input=f"{name}?", metadata={"references": ["https://paris.example/"]}) for name in ANSWERS
    ]
    outputs = [ModelOutput.from_content("mockllm/model", answer) for answer in ANSWERS.values()]
    for output in outputs:
        output.usage = ModelUsage()  # else inspect_ai counts with a table that it fetches
    [log] = evaluate(
        Task(dataset=samples, scorer=touchstone_scorer(dataset, method)),
        model=get_model("mockllm/model", custom_outputs=outputs),
        log_dir=str(folder),
        display="none",
        max_connections=1,
    )
    return log


@pytest.mark.parametrize(
    ("method", "value", "explanation"),
    [
        ("always-supported", 1.0, "1: supported\n2: supported"),
        ("always-not-supported", 0.0, "1: not_supported\n2: not_supported"),
    ],
)
def test_answers_are_judged_by_a_run_of_the_server(
    on_the_site: Touchstone, token: str, tmp_path: object, method: str, value: float, explanation: str
) -> None:
    log = scored(tmp_path, method, method)
    assert log.status == "success", log.error
    scores = {sample.output.completion: sample.scores["touchstone_scorer"] for sample in log.samples if sample.scores}
    assert [scores[ANSWERS[name]].value for name in ("one", "two")] == [value, value]
    assert math.isnan(scores[""].value)
    two = scores[ANSWERS["two"]]
    assert two.explanation == explanation
    run = on_the_site.run(two.metadata["run"])
    assert (run.method, run.state, run.progress["done"]) == (method, "finished", 2)
    responses = on_the_site.responses(on_the_site.dataset(method))
    assert sorted(row["response"] for row in responses) == [ANSWERS["one"], ANSWERS["two"]]
    assert token not in log.model_dump_json()


def test_what_the_server_refuses_is_the_error_of_the_samples(on_the_site: Touchstone, tmp_path: object) -> None:
    log = scored(tmp_path, "refused", "no-such-method")
    assert log.status == "error"
    assert "no-such-method" in (log.error.message if log.error else "")
