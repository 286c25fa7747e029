"""How long is waited before another attempt."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from llm.retries import RetryPolicy, retry_after


@pytest.mark.parametrize(
    ("attempt", "whole"),
    [(1, 0.5), (2, 1.0), (3, 2.0), (6, 16.0), (7, 30.0), (99, 30.0)],  # 0.5 · 2ⁿ⁻¹, at most 30
)
def test_a_wait_is_between_half_and_the_whole_of_its_step(attempt, whole):
    waits = [RetryPolicy().wait(attempt) for _ in range(200)]

    assert whole / 2 <= min(waits) < max(waits) <= whole


def test_what_the_server_asks_for_is_kept_up_to_a_limit():
    assert RetryPolicy().wait(1, {"retry-after": "7"}) == 7
    assert RetryPolicy().wait(1, {"retry-after": "9000"}) == 120


def test_a_date_is_a_wait_until_then():
    before = datetime.now(UTC)
    then = before.replace(microsecond=0) + timedelta(seconds=60)
    wait = timedelta(seconds=retry_after({"retry-after": format_datetime(then, usegmt=True)}))

    assert before <= then - wait <= datetime.now(UTC)


@pytest.mark.parametrize("text", ["", "soon", "-3", "1e9"])
def test_what_is_neither_a_number_nor_a_date_is_passed_over(text):
    assert retry_after({"retry-after": text}) is None


def test_a_date_that_has_passed_is_no_wait():
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0
