"""What a call cost."""

from decimal import Decimal

import pytest

from llm.models import Endpoint, Price
from llm.price import cost_usd, price_of

PRICE = Price(prompt_usd=Decimal("0.15"), completion_usd=Decimal("0.60"))


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
    assert cost_usd(PRICE, prompt_tokens, completion_tokens) == Decimal(cost)


@pytest.mark.parametrize(("price", "tokens"), [(None, (1, 1)), (PRICE, (None, 1)), (PRICE, (1, None))])
def test_what_is_not_known_costs_none_and_not_nothing(price, tokens):
    assert cost_usd(price, *tokens) is None


@pytest.mark.django_db
def test_a_price_is_that_of_the_model_at_the_endpoint():
    lab, other = (Endpoint.objects.create(name=name, base_url=f"http://{name}/v1") for name in ("lab", "other"))
    price = Price.objects.create(endpoint=lab, model="m", prompt_usd=1, completion_usd=2)

    assert price_of(lab, "m") == price
    assert price_of(lab, "n") is None
    assert price_of(other, "m") is None
