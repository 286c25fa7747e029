"""What a run would take, rehearsed without a call."""

from decimal import Decimal

import pytest

from evaluators.methods import METHODS
from evaluators.methods.base import Judgement, Method
from evaluators.runs.answer_lengths import CHARACTERS_A_TOKEN
from evaluators.runs.build import RunError
from evaluators.runs.create import create_run
from evaluators.runs.estimate import estimate
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from llm.endpoints import default_endpoint
from llm.models import Call, Price
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


def listing(monkeypatch):
    """A method with two questions to a response: one under the run's limit, and one that asks for a list."""

    async def judge(case, tools):
        verdict = await tools.ask([{"role": "user", "content": f"{case.index:<400}"}])
        listed = await tools.ask([{"role": "user", "content": f"{case.index:>400}"}], max_tokens=500)
        calls = (verdict.call_id, listed.call_id)
        return [Judgement(unit, None, calls=calls) for unit in case.units]

    method = Method("listing", "Listing", "Asks.", lambda parameters: judge, needs_model=True, answer_tokens=7)
    monkeypatch.setitem(METHODS, "listing", method)
    return "listing"


def test_without_a_known_answer_the_likely_price_is_that_of_the_documented_lengths(lab, model, monkeypatch):
    Price.objects.create(endpoint=default_endpoint(), model="m", prompt_usd=10, completion_usd=20)
    found = estimate(lab, listing(monkeypatch), model="m", parameters={"max_tokens": "50"}, limit=None)
    assert (found.measured, found.calls) == (0, 6)
    assert found.completion_tokens == 3 * 50 + 3 * 500
    assert found.likely_tokens == 3 * 7 + 3 * 150  # the method's own length, and that of a list
    assert found.likely_usd == Decimal("0.01542")  # 600 tokens at $10 and 471 at $20 a million


def test_a_usual_answer_is_never_longer_than_the_longest(lab, model, monkeypatch):
    found = estimate(lab, listing(monkeypatch), model="m", parameters={"max_tokens": "5"}, limit=None)
    assert found.likely_tokens == 3 * 5 + 3 * 150


@pytest.mark.django_db(transaction=True)
def test_the_likely_price_is_what_a_run_like_the_known_one_costs(lab, model, monkeypatch):
    """A run over one response tells how long answers are; the estimate of the other two is held against their price."""
    price = Price.objects.create(endpoint=default_endpoint(), model="m", prompt_usd=1000, completion_usd=1000)
    method, words = listing(monkeypatch), "a b c d e f g h i j k l"
    model.control(answer=words)
    first = create_run(lab, method, model="m", limit=1).run
    work_on(RunJob(), first.pk)
    known = Call.objects.filter(predictions__run=first, request__parameters__max_tokens=500).distinct().get()
    assert known.completion_tokens == len(words.split())

    found = estimate(lab, method, model="m", limit=None)
    assert (found.known, found.calls, found.measured) == (2, 4, 2)
    assert found.likely_tokens == 4 * len(words.split())

    rest = create_run(lab, method, model="m", force=True).run
    work_on(RunJob(), rest.pk)
    rest.refresh_from_db()
    assert rest.spent_usd > 0
    assert abs(found.likely_usd - rest.spent_usd) <= Decimal("0.02") * rest.spent_usd
    assert found.cost_usd > 10 * found.likely_usd
    assert price.model == "m"


def test_answers_of_other_models_and_datasets_tell_nothing(lab, model, monkeypatch):
    method = listing(monkeypatch)
    work_on(RunJob(), create_run(lab, method, model="m").run.pk)
    other = make_dataset("other")
    make_response(other)
    assert estimate(lab, method, model="another", limit=None).measured == 0
    assert estimate(other, method, model="m", limit=None).measured == 0


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
