"""A task settled, signed and challenged by two people at the same instant, on real PostgreSQL, many times over."""

import pytest

from tests.services.conftest import printed_by

ROUNDS = 40
ENDS = {
    # Whoever comes second closes the task.
    "settle-settle": {"settled; settled; closed; 2 gold"},
    "sign-sign": {
        "signed; dora has already signed; closed; 2 gold; in force",
        "emil has already signed; signed; closed; 2 gold; in force",
    },
    # A signature stands for the gold that was there when it was given, or it has fallen.
    "sign-overrule": {
        "signed; overruled; closed; 2 gold; in force",
        "signed; overruled; closed; 2 gold; withdrawn",
    },
    "challenge-challenge": {
        "challenged; nothing to challenge; closed; 2 gold; open; decided before",
        "nothing to challenge; challenged; closed; 2 gold; open; decided before",
    },
    # The challenge is about gold that was in force: what overruled that came later, and can uphold it.
    "challenge-overrule": {
        "challenged; overruled; closed; 2 gold; open; decided since",
        "nothing to challenge; overruled; closed; 2 gold",
    },
    "answer-answer": {
        "upheld; answered already; closed; 2 gold; upheld; decided since",
        "answered already; declined; closed; 2 gold; declined; decided since",
    },
}


@pytest.mark.parametrize("race", ENDS)
def test_it_ends_in_one_of_these_ways(race: str, postgres_url: str):
    printed = printed_by("settling_race", race, ROUNDS, DATABASE_URL=postgres_url)
    ended = set(printed.splitlines())
    assert ended, "no round was run"
    assert ended <= ENDS[race]
