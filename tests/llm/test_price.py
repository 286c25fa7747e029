"""What a call costs, in parts."""

from decimal import Decimal

import pytest

from jobs.errors import StartError
from jobs.limits import NO_LIMITS, Limits
from llm.completion import ModelCompletion
from llm.models import Endpoint, Price
from llm.price import (
    Cost,
    check_price,
    cost_of,
    cost_of_call,
    counted_usd,
    is_priced,
    most_usd,
    price_of,
    sum_costs,
)
from llm.requests import Request

PRICE = Price(prompt_usd=Decimal("0.15"), completion_usd=Decimal("0.60"))


def price(**parts: str) -> Price:
    return Price(**{f"{part}_usd": Decimal(usd) for part, usd in parts.items()})


def completion(**fields) -> ModelCompletion:
    return ModelCompletion("yes", "stop", **fields)


@pytest.mark.parametrize(
    ("prompt_tokens", "completion_tokens", "cost"),
    [
        (1_000_000, 1_000_000, "0.75"),
        (1200, 40, "0.000204"),  # 1200 · 0.15 + 40 · 0.60 = 180 + 24 millionths
        (3, 0, "0.000000"),  # 0.45 millionths, rounded down
        (4, 0, "0.000001"),  # 0.60 millionths, rounded up
        (0, 0, "0"),
    ],
)
def test_the_cost_is_that_of_the_tokens_to_the_millionth_of_a_dollar(prompt_tokens, completion_tokens, cost):
    assert cost_of(PRICE, prompt_tokens, completion_tokens).usd == Decimal(cost)


@pytest.mark.parametrize(
    ("of", "tokens", "unpriced"),
    [
        (None, (1, 1), ("prompts", "answers")),
        (PRICE, (None, 1), ("prompts",)),
        (PRICE, (1, None), ("answers",)),
        (price(prompt="1"), (1, 1), ("answers",)),
        (price(completion="1"), (1, 1), ("prompts",)),
        (PRICE, (10, 1, 9), ("cached prompts",)),
        (PRICE, (10, 1, 0, 2), ("searches",)),
    ],
)
def test_the_parts_that_are_not_known_are_named_and_do_not_cost_nothing(of, tokens, unpriced):
    cost = cost_of(of, *tokens)
    assert (cost.usd, cost.unpriced) == (None, unpriced)


def test_cached_prompts_have_a_price_of_their_own():
    # Nine tenths of a million at a tenth of $2.50, the rest at $2.50, ten tokens of the answer at $10 a million.
    cost = cost_of(price(prompt="2.5", cached="0.25", completion="10"), 1_000_000, 10, 900_000)
    assert cost == Cost(Decimal("0.475100"))  # 0.225 + 0.25 + 0.0001


def test_without_their_price_the_other_parts_are_summed():
    cost = cost_of(price(prompt="2.5", completion="10"), 1_000_000, 10, 900_000)
    assert cost == Cost(Decimal("0.250100"), ("cached prompts",))


def test_a_model_s_own_searches_cost_each():
    assert cost_of(price(prompt="0", completion="0", search="0.005"), 10, 10, 0, 3) == Cost(Decimal("0.015000"))


def test_more_cached_tokens_than_the_prompt_has_are_those_of_the_prompt():
    assert cost_of(price(prompt="1", cached="0.5", completion="1"), 100, 0, 900).usd == Decimal("0.000050")


def test_the_price_that_the_server_names_goes_first():
    named = completion(prompt_tokens=1_000_000, completion_tokens=10, cached_tokens=900_000, served_usd=Decimal("0.2"))
    assert cost_of_call(PRICE, named) == cost_of_call(None, named) == Cost(Decimal("0.2"))


def test_sums_keep_what_is_known_and_name_each_unknown_part_once():
    costs = [Cost(Decimal(1)), Cost(Decimal(2), ("answers",)), Cost(Decimal(3), ("cached prompts", "answers"))]
    assert sum_costs(costs) == Cost(Decimal(6), ("cached prompts", "answers"))


def test_a_limit_counts_cached_prompts_without_a_price_as_any_prompt():
    read = completion(prompt_tokens=1_000_000, completion_tokens=0, cached_tokens=900_000)
    assert counted_usd(PRICE, read) == Decimal("0.15")
    assert counted_usd(price(prompt="0.15", cached="0.015", completion="0.6"), read) == Decimal("0.0285")


def test_a_limit_counts_what_was_held_where_the_server_counts_no_tokens():
    assert counted_usd(PRICE, completion()) is None


def test_the_most_that_a_request_can_cost_needs_the_prices_of_prompts_and_answers():
    request = Request("http://lab/v1", "m", [{"role": "user", "content": "Is it?"}], {"max_tokens": 100})
    assert most_usd(PRICE, request) == Decimal("0.000062")  # 2 + 8 tokens at $0.15 and 100 at $0.60 a million
    assert most_usd(price(prompt="1", cached="1"), request) is None


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (None, "What m costs is not known, so no price can be kept to"),
        ({"prompt_usd": 1}, "What answers of m cost is not known, so no price can be kept to"),
        ({"search_usd": 1}, "What prompts and answers of m cost is not known, so no price can be kept to"),
    ],
)
def test_a_limit_in_dollars_names_the_part_that_it_needs(parts, said):
    lab = Endpoint.objects.create(name="lab", base_url="http://lab/v1")
    if parts:
        Price.objects.create(endpoint=lab, model="m", **parts)

    check_price(lab, "m", NO_LIMITS)
    with pytest.raises(StartError, match=said):
        check_price(lab, "m", Limits(cost_usd=Decimal(1)))


@pytest.mark.django_db
def test_a_limit_in_dollars_needs_no_price_of_cached_prompts_and_of_searches():
    lab = Endpoint.objects.create(name="lab", base_url="http://lab/v1")
    Price.objects.create(endpoint=lab, model="m", prompt_usd=1, completion_usd=2)

    check_price(lab, " m ", Limits(cost_usd=Decimal(1)))
    assert is_priced(lab, "m")


@pytest.mark.django_db
def test_a_price_is_that_of_the_model_at_the_endpoint():
    lab, other = (Endpoint.objects.create(name=name, base_url=f"http://{name}/v1") for name in ("lab", "other"))
    price = Price.objects.create(endpoint=lab, model="m", prompt_usd=1, completion_usd=2)

    assert price_of(lab, "m") == price
    assert price_of(lab, "n") is None
    assert price_of(other, "m") is None
