"""Two adjudicators settle the same segment at the same instant, on real PostgreSQL, many times over."""

import pytest

from tests.services.conftest import printed_by

ROUNDS = 60

pytestmark = pytest.mark.services


def test_one_decision_stands_and_the_other_is_told(postgres_url):
    printed = printed_by("decision_race", ROUNDS, DATABASE_URL=postgres_url)
    # 60 segments; on each one decision and two gold labels: the imported one, and the decided one, which is in force.
    assert printed.split() == [str(ROUNDS), str(ROUNDS), str(2 * ROUNDS), str(ROUNDS)]
