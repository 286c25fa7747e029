"""A budget stops the Asker before it is exceeded. One call is taken to need 10 tokens of its answer's room and some of
its prompt's, and takes 4: "1. Statement 7." is three words, "ALL_CORRECT" one."""

import asyncio

from jobs.budget import Room
from llm.errors import BudgetSpentError
from llm.models import Call

ROOM = 10 + len("1. Statement 7.") // 3 + 8


class Purse:
    """A budget in tokens, in memory."""

    reached = "The budget is spent."

    def __init__(self, limit):
        self.limit = limit
        self.spent = 0
        self.held = 0

    def hold(self, most):
        return [self._hold(each.tokens) for each in most]

    def _hold(self, tokens):
        if self.spent + self.held + tokens <= self.limit:
            self.held += tokens
            return Room.HELD
        return Room.LATER if self.held else Room.SPENT

    def settle(self, calls):
        for held, spent in calls:
            self.held -= held.tokens
            self.spent += spent.tokens


def ask_all(numbers):
    async def talk(ask):
        asked = [[{"role": "user", "content": f"1. Statement {number}."}] for number in numbers]
        return await asyncio.gather(*(ask(messages, max_tokens=10) for messages in asked), return_exceptions=True)

    return talk


def test_calls_go_on_until_the_next_could_exceed_it(server, with_asker):
    # After three calls 12 tokens are spent, and 12 + 23 are too many.
    purse = Purse(limit=ROOM + 11)

    outcomes = with_asker(ask_all(range(9)), budget=purse)

    assert sum(isinstance(outcome, BudgetSpentError) for outcome in outcomes) == 6
    assert (purse.spent, purse.held) == (12, 0)
    assert server.stats()["total"] == Call.objects.count() == 3


def test_what_others_hold_is_waited_for(server, with_asker):
    # There is room for one call at a time, and in the end for all.
    purse = Purse(limit=ROOM + 4 * 4)

    outcomes = with_asker(ask_all(range(5)), budget=purse)

    assert [outcome.text for outcome in outcomes] == ["ALL_CORRECT"] * 5
    assert purse.spent == 20


def test_the_cache_is_free(server, with_asker):
    purse = Purse(limit=ROOM)
    with_asker(ask_all([1]))

    with_asker(ask_all([1]), budget=purse)

    assert (purse.spent, purse.held) == (0, 0)


def test_a_call_that_failed_took_nothing(server, with_asker):
    server.control(fail_first=99, fail_status=400)
    purse = Purse(limit=ROOM)

    with_asker(ask_all([1]), budget=purse)

    assert (purse.spent, purse.held) == (0, 0)


def test_without_counts_of_tokens_what_was_set_aside_counts(server, with_asker):
    server.control(usage=False)
    purse = Purse(limit=100)

    with_asker(ask_all([1]), budget=purse)

    assert (purse.spent, purse.held) == (ROOM, 0)
