"""What a run would take, rehearsed without a call."""

from decimal import Decimal

import pytest

from evaluators.methods import METHODS
from evaluators.methods.base import Judgement, Method
from evaluators.runs.build import RunError
from evaluators.runs.create import create_run
from evaluators.runs.estimate import CHARACTERS_A_TOKEN, estimate
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from llm.endpoints import default_endpoint
from llm.models import Price
from tests.factories import make_dataset, make_response


@pytest.fixture
def add_asking(monkeypatch):
    """Registers a method that puts the question of 400 characters, and after an answer another one; its name."""

    def add(calls):
        async def judge(case, tools):
            answer = await tools.ask([{"role": "user", "content": f"{case.index:<400}"}])
            if answer.text:
                await tools.ask([{"role": "user", "content": f"{case.index:>400}"}], max_tokens=10)
            return [Judgement(unit, None) for unit in case.units]

        method = Method("asking", "Asking", "Asks.", lambda parameters: judge, needs_model=True, calls=calls)
        monkeypatch.setitem(METHODS, "asking", method)
        return "asking"

    return add


def test_calls_tokens_and_price_are_those_of_the_prompts_at_most(lab, model, add_asking):
    Price.objects.create(endpoint=default_endpoint(), model="m", prompt_usd=10, completion_usd=20)
    found = estimate(lab, add_asking(None), model="m", parameters={"max_tokens": "50"}, limit=None)

    assert (found.responses, found.sampled, found.known, found.calls) == (3, 3, 0, 3)
    assert found.prompt_tokens == 3 * 400 / CHARACTERS_A_TOKEN
    assert found.completion_tokens == 3 * 50
    assert found.cost_usd == Decimal("0.006")  # 300 tokens at $10 and 150 at $20 a million
    assert model.stats()["total"] == 0


def test_calls_that_depend_on_an_answer_are_counted_as_the_method_says(lab, model, add_asking):
    found = estimate(lab, add_asking(lambda case, parameters: 2), model="m", limit=None)
    assert (found.calls, found.prompt_tokens) == (6, 6 * 400 / CHARACTERS_A_TOKEN)


def test_answers_that_are_known_cost_nothing(lab, model, add_asking):
    method = add_asking(lambda case, parameters: 2)
    work_on(RunJob(), create_run(lab, method, model="m").run.pk)
    found = estimate(lab, method, model="m", limit=None)
    assert (found.known, found.calls, found.prompt_tokens) == (6, 0, 0)


def test_a_sample_stands_for_all(model, db, add_asking):
    dataset = make_dataset()
    for _ in range(45):
        make_response(dataset)
    found = estimate(dataset, add_asking(None), model="m", limit=None)
    assert (found.responses, found.sampled, found.calls) == (45, 20, 45)


def test_a_price_that_is_not_known_is_said_to_be(lab, model):
    assert estimate(lab, "felm-segment", model="m", limit=1).cost_usd is None


def test_what_could_not_run_has_no_estimate(lab):
    with pytest.raises(RunError, match="needs a model"):
        estimate(lab, "felm-segment", limit=None)
