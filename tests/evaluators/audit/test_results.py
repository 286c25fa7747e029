"""What an audit has come to, from sending to a new version of gold."""

import pytest

from annotate.gold.freeze import freeze_gold
from annotate.models import User
from annotate.second_look.settle import state_of, take, uphold
from evaluators.audit.results import results_of, table_of_parts, version_after, version_before
from evaluators.comparison.report import build_report
from tests.annotate.second_look.work import case_of
from tests.evaluators.audit.work import answer, make_audited, send_all
from tests.evaluators.comparison.rows import result

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset():
    return make_audited(20, 4)[0]


@pytest.fixture
def dora(dataset):
    return User.objects.get(username="dora")


def take_look(item, dora):
    case = case_of(item)
    take(item, case.looks[0].pk, "Gold was a slip.", dora, state_of(case))


def test_nothing_is_said_before_somebody_has_looked(dataset, dora):
    found = results_of(send_all(dataset))
    assert [(part.sent, part.answered, part.contradicted.share) for part in found.parts] == [(4, 0, None), (4, 0, None)]
    assert found.surplus == ((None, None), (None, None))


def test_candidates_and_controls_are_counted_apart(dataset, dora):
    audit = send_all(dataset)
    answer(audit, 3, control=False)
    answer(audit, 1, control=True)
    candidates, controls = results_of(audit).parts
    assert (candidates.contradicted.count, candidates.contradicted.share, candidates.open) == (3, 0.75, 3)
    assert (controls.contradicted.count, controls.contradicted.share, controls.open) == (1, 0.25, 1)
    assert results_of(audit).surplus[0][0] == pytest.approx(0.5)


def test_what_was_changed_is_what_an_adjudicator_took(dataset, dora):
    audit = send_all(dataset)
    first, second = answer(audit, 2, control=False)
    answer(audit, 0, control=True)
    take_look(first, dora)
    uphold(second, "Gold is right.", dora, state_of(case_of(second)))
    found = results_of(audit)
    candidates, controls = found.parts
    assert (candidates.changed.count, candidates.changed.n, controls.changed.count) == (1, 4, 0)
    assert controls.changed.interval is None  # of four prompts
    assert found.is_complete


def test_an_audit_is_complete_once_nothing_waits(dataset, dora):
    audit = send_all(dataset)
    (item,) = answer(audit, 1, control=False)
    assert not results_of(audit).is_complete
    answer(audit, 0, control=True)
    assert not results_of(audit).is_complete
    uphold(item, "Gold is right.", dora, state_of(case_of(item)))
    assert results_of(audit).is_complete


def test_a_new_version_moves_the_figures(dataset, dora):
    """From version to version: the evaluators are right where gold was wrong."""
    freeze_gold(dataset, "v1", dora)
    audit = send_all(dataset)
    for item in answer(audit, 4, control=False):
        take_look(item, dora)
    dataset.refresh_from_db()
    freeze_gold(dataset, "v2", dora)
    assert (version_before(audit).name, version_after(audit).name) == ("v1", "v2")
    before, after = (result(build_report(dataset, name), "judge 0")["f1"] for name in ("v1", "v2"))
    assert before < after == 1


def test_without_a_version_before_there_is_none(dataset, dora):
    audit = send_all(dataset)
    assert (version_before(audit), version_after(audit)) == (None, None)


def test_the_table_has_a_row_for_each_part(dataset, dora):
    audit = send_all(dataset)
    answer(audit, 3, control=False)
    table = table_of_parts(audit, results_of(audit))
    assert [row[:5] for row in table.rows] == [("Candidates", 4, 4, 3, 3), ("Controls", 4, 0, 0, 0)]
