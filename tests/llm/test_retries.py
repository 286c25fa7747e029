"""How long is waited before another attempt."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from llm.retries import RetryPolicy, in_words, retry_after


@pytest.mark.parametrize(
    ("attempt", "whole"),
    [(1, 0.5), (2, 1.0), (3, 2.0), (6, 16.0), (7, 30.0), (99, 30.0)],  # 0.5 · 2ⁿ⁻¹, at most 30
)
def test_a_wait_is_between_half_and_the_whole_of_its_step(attempt, whole):
    waits = [RetryPolicy().wait(attempt) for _ in range(200)]

    assert whole / 2 <= min(waits) < max(waits) <= whole


def test_what_the_server_asks_for_is_kept_up_to_a_limit():
    assert RetryPolicy().wait(1, 7) == 7
    assert RetryPolicy().wait(1, 9000) == 600


def test_a_date_is_a_wait_until_then():
    before = datetime.now(UTC)
    then = before.replace(microsecond=0) + timedelta(seconds=60)
    wait = timedelta(seconds=retry_after({"retry-after": format_datetime(then, usegmt=True)}))

    assert before <= then - wait <= datetime.now(UTC)


@pytest.mark.parametrize(
    ("headers", "said", "seconds"),
    [
        ({"retry-after": "2.5"}, "", 2.5),
        ({"retry-after": "2.5", "retry-after-ms": "3000"}, "", 3.0),
        ({"retry-after": "1m30s"}, "", 90),
        ({}, "Rate limit reached. Please try again in 22.5s.", 22.5),
        ({}, "Please try again in 6m0s. Visit https://lab.example/limits", 360),
        ({}, "Retry after 20 seconds", 20),
        ({}, "Please retry in 1h 2m 3.5s", 3723.5),
        ({}, "try again in 350ms", 0.35),
        ({}, "You may try again after 2 minutes", 120),
        ({}, "Request was throttled. Expected available in 13 seconds.", 13),
        ({}, "Limit: 3 a minute. Please wait 1.5 minutes and retry", 90),
        ({}, "Please try again in one minute", 60),
        ({}, "Slow down. Retry-After: 30", 30),
        ({}, "请在 30 秒后重试", 30),
        ({}, "Try 3 shorter prompts", None),
        ({"x-ratelimit-reset-tokens": "6m0s", "x-ratelimit-reset-requests": "1s"}, "", 360),
        ({"x-ratelimit-reset-tokens": "6m0s", "x-ratelimit-remaining-tokens": "5"}, "", None),
        ({"x-ratelimit-reset-tokens": "6m0s"}, "Please try again in 2s", 2),
        ({"x-ratelimit-reset": "12"}, "", 12),
        ({"ratelimit-reset": "12", "ratelimit-remaining": "0"}, "", 12),
    ],
)
def test_a_wait_is_read_wherever_a_server_asks_for_it(headers, said, seconds):
    assert retry_after(headers, said) == seconds


@pytest.mark.parametrize(
    "write",
    [
        lambda then: {"x-ratelimit-reset": str(int(then.timestamp()))},
        lambda then: {"x-ratelimit-reset": str(int(then.timestamp() * 1000))},
        lambda then: {"anthropic-ratelimit-tokens-reset": then.isoformat()},
        lambda then: {"x-ratelimit-reset-requests": then.strftime("%Y-%m-%dT%H:%M:%SZ")},
    ],
)
def test_a_moment_is_a_wait_until_then(write):
    then = datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=60)

    assert 50 < retry_after(write(then)) <= 60
    assert 50 < retry_after({}, f"The limit resets at {then:%Y-%m-%dT%H:%M:%SZ}.") <= 60


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (30, "1 minute"),
        (660, "11 minutes"),
        (3600, "1 hour"),
        (9000, "2 hours and 30 minutes"),
        (90000, "1 day and 1 hour"),
    ],
)
def test_a_long_wait_is_told_in_words(seconds, words):
    assert in_words(seconds) == words


@pytest.mark.parametrize("text", ["", "soon", "-3", "1e9"])
def test_what_is_neither_a_number_nor_a_date_is_passed_over(text):
    assert retry_after({"retry-after": text}) is None


def test_a_date_that_has_passed_is_no_wait():
    assert retry_after({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0
