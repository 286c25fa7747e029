"""A hidden control cannot be told from work by anything that an annotator is served.

The attacker knows the kind of all work of three annotators and guesses that of the fourth's, each in turn.
"""

from dataclasses import replace

import pytest

from tests.annotate.blindness.attacker import auc_and_p
from tests.annotate.blindness.visits import NAMES, SHARE, Visit, visits_of

pytestmark = pytest.mark.django_db

EACH = 32
TASKS = 180
# Below this the attacker has found something. Keys are drawn anew each time: one run of a thousand fails by chance.
LEVEL = 0.001


@pytest.fixture(scope="module")
def visits(module_db: None) -> list[Visit]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        return visits_of("felm", TASKS, EACH, monkeypatch)


def test_controls_are_mixed_among_the_work(visits: list[Visit]) -> None:
    assert len(visits) == EACH * len(NAMES)
    assert sum(visit.control for visit in visits) == pytest.approx(SHARE * len(visits), abs=len(NAMES))


def test_what_is_served_tells_no_control_from_work(visits: list[Visit]) -> None:
    auc, p = auc_and_p(visits)
    assert p > LEVEL, f"area under the curve {auc:.2f}"


def test_the_attacker_finds_a_number_of_the_unit(visits: list[Visit]) -> None:
    """One that every page showed before: so the attacker can find what is there to be found."""
    leaking = [
        replace(visit, served={**visit.served, "page": f'{visit.served["page"]}<li data-row="{visit.first}">'})
        for visit in visits
    ]
    auc, p = auc_and_p(leaking)
    assert p < LEVEL, f"area under the curve {auc:.2f}"
