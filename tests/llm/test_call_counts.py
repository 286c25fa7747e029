"""Calls, tokens and price are counted as they happen (core/counters.py)."""

import pytest
from prometheus_client import REGISTRY

from llm.errors import EndpointUnavailableError
from llm.models import Price

HELLO = [{"role": "user", "content": "Segments:\n1. Right.\n2. This is wrong."}]


def counted(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, {"endpoint": "fake", "model": "m", **labels}) or 0


def all_counts() -> list[float]:
    return [
        counted("touchstone_calls_total", result="answered"),
        counted("touchstone_calls_total", result="cached"),
        counted("touchstone_calls_total", result="failed"),
        counted("touchstone_tokens_total", part="prompt"),
        counted("touchstone_tokens_total", part="completion"),
        counted("touchstone_usd_total"),
        counted("touchstone_call_seconds_count"),
    ]


def grown(before: list[float]) -> list[float]:
    return [now - then for now, then in zip(all_counts(), before, strict=True)]


def test_an_answer_is_counted_with_its_tokens_and_price_once(endpoint, with_asker):
    price = Price.objects.create(endpoint=endpoint, model="m", prompt_usd=100_000, completion_usd=1_000_000)
    before = all_counts()
    with_asker(lambda ask: ask(HELLO), price=price)
    # 7 tokens at $0.1 and 2 at $1: $2.7
    assert grown(before) == pytest.approx([1, 0, 0, 7, 2, 2.7, 1])
    with_asker(lambda ask: ask(HELLO), price=price)
    assert grown(before) == pytest.approx([1, 1, 0, 7, 2, 2.7, 1])


def test_a_call_without_an_answer_is_counted_as_failed(server, with_asker):
    server.control(fail_first=99, fail_status=503)
    before = all_counts()
    with pytest.raises(EndpointUnavailableError):
        with_asker(lambda ask: ask(HELLO))
    assert grown(before) == [0, 0, 1, 0, 0, 0, 0]
