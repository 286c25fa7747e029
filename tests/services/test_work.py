"""One piece of work, wanted in two ways at the same instant, on real PostgreSQL, many times over.

The task has one place, which Ada has in work, and two segments, both judged right so far. However the two meet, it ends
in one of these ways, and nothing that was answered as saved is lost.
"""

import pytest

from tests.services.conftest import printed_by

ROUNDS = 40
LABELS = "supported supported"
ENDS = {
    "submit-submit": {f"submitted; refused; ada submitted; {LABELS}", f"refused; submitted; ada submitted; {LABELS}"},
    # Her lease had run out: she is in time, or Ben has the place.
    "submit-claim": {f"submitted; nothing; ada submitted; {LABELS}", "refused; claimed; ben open; no labels"},
    # What was saved is what was submitted.
    "save-submit": {
        "saved; submitted; ada submitted; not_supported not_supported",
        f"submitted; submitted; ada submitted; {LABELS}",
    },
    "skip-claim": {"skipped; claimed; ben open; no labels", "skipped; nothing; nobody; no labels"},
    "take-up-claim": {"open; nothing; ada open; no labels", "skipped; claimed; ben open; no labels"},
    "give-back-submit": {"given back; refused; nobody; no labels", f"refused; submitted; ada submitted; {LABELS}"},
    # Ben has submitted in her place, and all of it is settled.
    "save-close": {f"lost; 1 closed; ben submitted; {LABELS}", f"closed; 1 closed; ben submitted; {LABELS}"},
}


@pytest.mark.parametrize("race", ENDS)
def test_it_ends_in_one_of_these_ways(race: str, postgres_url: str):
    printed = printed_by("work_race", race, ROUNDS, DATABASE_URL=postgres_url)
    ended = set(printed.splitlines())
    assert ended, "no round was run"
    assert ended <= ENDS[race]
