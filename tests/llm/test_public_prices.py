"""Public prices, from the table that the package brings."""

from datetime import date
from decimal import Decimal

from llm.models.endpoint import PRICES
from llm.public_prices import find_public_price, models_at, table_date

OPENAI = "https://api.openai.com/v1"


def test_a_model_has_the_prices_of_its_provider():
    found = find_public_price(OPENAI, "gpt-4o")

    assert found is not None
    assert (found.provider, found.as_of, found.has_tiers) == ("OpenAI", table_date(), False)
    assert list(found.prices) == list(PRICES)
    assert found.prices["prompt_usd"] > found.prices["cached_usd"] > 0
    assert found.prices["completion_usd"] > found.prices["prompt_usd"]
    assert found.prices["search_usd"] < 1  # of one search; the table has thousands


def test_at_an_address_of_no_known_provider_the_model_s_name_says_whose_it_is():
    found = find_public_price("http://proxy.lab.example/v1", "gpt-4o")
    assert found is not None
    assert found.provider == "OpenAI"


def test_prices_in_tiers_say_so_and_give_the_first():
    found = find_public_price("https://generativelanguage.googleapis.com/v1beta/openai", "gemini-2.5-pro")
    assert found is not None
    assert found.has_tiers
    assert found.prices["prompt_usd"] == Decimal("1.25")


def test_a_model_that_the_table_does_not_know_has_none():
    assert find_public_price(OPENAI, "our-own-model") is None
    assert find_public_price("http://lab/v1", "our-own-model") is None


def test_the_models_at_an_address_are_listed():
    assert "gpt-4o" in models_at(OPENAI)
    assert models_at("http://lab/v1") == ()


def test_the_date_of_the_table_is_not_in_the_future():
    assert date(2026, 10, 1) <= table_date() <= date.today()
