"""Turns of a minute, worked by hand."""

import random

import pytest

from llm.rate_ledger import Ledger, Minute, take_permits

EMPTY = Ledger(0.0, {})


def test_requests_are_spaced_evenly():
    # 61 seconds hold what a minute may: 244 of them, one each quarter of a second. The sixth is too far ahead.
    waits, after = take_permits(Minute(244, None), EMPTY, 100.0, [1] * 10)

    assert waits == [0, 0.25, 0.5, 0.75, 1.0]
    assert after.requests_at == 101.25


def test_what_another_worker_took_is_waited_for():
    waits, _ = take_permits(Minute(61, None), Ledger(100.5, {}), 100.0, [1, 1])

    assert waits == [0.5]


def test_an_idle_time_is_not_made_up_for():
    waits, _ = take_permits(Minute(61, None), Ledger(1.0, {}), 100.0, [1, 1, 1])

    assert waits == [0, 1]


def test_without_a_limit_of_requests_all_may_go():
    assert take_permits(Minute(None, 100), EMPTY, 100.0, [1] * 3)[0] == [0, 0, 0]


def test_tokens_fit_beside_those_of_the_last_minute():
    # 600 + 300 fit into 1,000, the next 300 do not; nor does the small one behind them, which waits for its turn.
    waits, after = take_permits(Minute(None, 1000), Ledger(0.0, {60: 600}), 100.5, [300, 300, 50])

    assert waits == [0]
    assert after.tokens == {60: 600, 100: 300}


@pytest.mark.parametrize(("second", "counted"), [(38, {}), (39, {39: 600})])
def test_tokens_count_for_a_minute_and_what_a_turn_may_be_late(second, counted):
    assert Ledger(0.0, {second: 600}).at(100.0, {}).tokens == counted


def test_tokens_are_given_back_where_they_were_taken():
    ledger = Ledger(0.0, {20: 100, 60: 600}).at(100.0, {60: 590, 20: 90})

    assert ledger.tokens == {60: 10}


def test_a_call_that_no_minute_holds_goes_alone():
    assert take_permits(Minute(None, 100), EMPTY, 100.0, [500, 1])[0] == [0]
    assert take_permits(Minute(None, 100), Ledger(0.0, {99: 1}), 100.0, [500])[0] == []


def test_turns_that_nobody_used_move_the_next_one_back():
    assert Ledger(101.0, {}).without_last(3, 0.25).requests_at == 100.25


def test_no_minute_holds_more_than_its_limit_however_late_turns_are_used():
    chance, minute, ledger = random.Random(4), Minute(120, 3000), EMPTY
    now, used = 0.0, []
    while now < 300:
        now += chance.random()
        costs = [chance.randrange(60) for _ in range(chance.randrange(5))]
        waits, ledger = take_permits(minute, ledger.at(now, {}), now, costs)
        # Tokens are used up to a second after they were taken, requests up to a second after their moment.
        used += [
            (min(now + wait + chance.random(), now + 1), tokens) for wait, tokens in zip(waits, costs, strict=False)
        ]
    assert len(used) > 300
    for begin, _ in used:
        within = [tokens for moment, tokens in used if begin <= moment < begin + 60]
        assert len(within) <= 120
        assert sum(within) <= 3000
