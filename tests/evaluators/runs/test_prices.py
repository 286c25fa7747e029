"""The prices of runs, with cached prompts, prices that servers name, and parts that are not known."""

import json
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotate.models import Role
from evaluators.runs.build import RunError
from evaluators.runs.create import create_run
from evaluators.runs.estimate import estimate, estimate_all
from evaluators.runs.listing import spent_by
from evaluators.runs.progress import progress_of
from jobs.limits import Limits
from llm.endpoints import default_endpoint
from llm.models import Call, Price
from tests.evaluators.runs.test_work import worked
from tests.factories import make_person
from tests.pages import squeezed

WHOLE = {"prompt_usd": "2.5", "cached_usd": "0.25", "completion_usd": "10"}
WITHOUT_CACHED = {"prompt_usd": "2.5", "completion_usd": "10"}


@pytest.fixture
def rhea(lab, client):
    client.force_login(make_person("rhea", lab, Role.RESEARCHER))
    return client


def page(client, name, *keys) -> str:
    return squeezed(client.get(reverse(name, args=keys)).content.decode())


def run_of_one(lab, model, usage, **price):
    """A run of one response, which takes one call."""
    if price:
        Price.objects.create(endpoint=default_endpoint(), model="m", **price)
    model.control(dialects=[usage])
    run = worked(create_run(lab, "felm-segment", model="m", limit=1).run)
    assert run.state == "finished"
    return run


def test_cached_prompts_are_billed_at_their_own_price(lab, model, rhea):
    run = run_of_one(lab, model, "usage with cached tokens", **WHOLE)

    # 100,000 at $2.50, 900,000 at $0.25 and 10 at $10 a million: 0.25 + 0.225 + 0.0001
    call = Call.objects.get()
    assert (call.cached_tokens, call.cost_usd, call.unpriced) == (900_000, Decimal("0.475100"), "")
    assert run.spent_usd == call.cost_usd
    assert "$0.4751" in page(rhea, "run", run.pk)


def test_without_their_price_the_cost_is_at_least_that_of_the_other_parts(lab, model, rhea):
    run = run_of_one(lab, model, "usage with cached tokens", **WITHOUT_CACHED)

    call = Call.objects.get()
    assert (call.cost_usd, call.known_usd, call.unpriced) == (None, Decimal("0.250100"), "cached prompts")
    said = 'at least $0.2501 <small class="quiet">the price of cached prompts is not known</small>'
    assert said in page(rhea, "run", run.pk)
    assert said in page(rhea, "run-call", run.pk, call.pk)
    assert "at least $0.2501</span>" in page(rhea, "runs", lab.pk)


def test_a_limit_counts_cached_prompts_of_unknown_price_as_any_prompt(lab, model):
    # A million at $2.50 and 10 at $10 a million.
    assert run_of_one(lab, model, "usage with cached tokens", **WITHOUT_CACHED).spent_usd == Decimal("2.5001")


@pytest.mark.parametrize("price", [{}, WHOLE], ids=["no price", "a price"])
def test_the_price_that_the_server_names_is_the_cost_and_the_page_says_whose_it_is(lab, model, rhea, price):
    run = run_of_one(lab, model, "usage names the price", **price)

    call = Call.objects.get()
    assert (call.served_usd, call.cost_usd) == (Decimal("0.2"), Decimal("0.2"))
    assert run.spent_usd == Decimal("0.2")
    for name, *keys in (("run", run.pk), ("run-call", run.pk, call.pk)):
        text = page(rhea, name, *keys)
        assert "$0.2000" in text
        assert "as the server says" in text


def test_a_run_of_which_nothing_is_priced_names_the_parts(lab, model, rhea):
    run = run_of_one(lab, model, "usage with cached tokens")

    for spent in (spent_by([run])[run.pk], progress_of(run)):
        assert (spent.cost_usd, spent.known_usd, spent.unpriced) == (None, 0.0, ("prompts", "answers"))
    assert "the price of prompts and answers is not known" in page(rhea, "run", run.pk)


def test_an_estimate_gives_what_is_known_and_names_what_is_not(lab, model, capsys):
    Price.objects.create(endpoint=default_endpoint(), model="m", prompt_usd="10")
    found = estimate(lab, "felm-segment", model="m", limit=None)

    assert (found.cost_usd, found.likely_usd, found.unpriced) == (None, None, ("answers",))
    assert found.known_usd == Decimal(10) * found.prompt_tokens / 1_000_000

    total = estimate_all(lab, [("felm-segment", "m"), ("felm-segment", "n")], [{}, {}], None)
    assert (total.known_usd, total.unpriced) == (found.known_usd, ("prompts", "answers"))

    call_command("evaluate", lab.name, "felm-segment", "--model", "m", "--estimate")
    assert "without answers, whose price is not known" in capsys.readouterr().out
    call_command("evaluate", lab.name, "felm-segment", "--model", "m", "--estimate", "--json")
    said = json.loads(capsys.readouterr().out)
    assert (said["cost_usd"], said["known_usd"], said["unpriced"]) == (None, float(found.known_usd), ["answers"])


def test_a_limit_in_dollars_needs_the_price_of_answers_and_says_so(lab, model):
    Price.objects.create(endpoint=default_endpoint(), model="m", prompt_usd="10")
    with pytest.raises(RunError, match="What answers of m cost is not known, so no price can be kept to"):
        create_run(lab, "felm-segment", model="m", limits=Limits(cost_usd=Decimal(1)))
