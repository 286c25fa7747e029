"""FELM's evaluators as runs, with a real model server."""

import pytest

from annotate.models import ReferenceLink
from evaluators.methods.felm import ROWS
from evaluators.runs.create import create_run
from evaluators.runs.progress import progress_of
from evaluators.runs.reading import read_again
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from tests.factories import make_dataset, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def lab():
    """World knowledge with a reference and without, and mathematics; two segments each, the second of them wrong."""
    dataset = make_dataset()
    segments = ["Ada wrote a program.", "This is wrong."]
    known = make_response(dataset, segments, domain="wk")
    ReferenceLink.objects.create(response=known, position=0, url="https://example.org/ada", content="Ada wrote it.")
    make_response(dataset, ["Charles built an engine.", "This is wrong too."], domain="wk")
    make_response(dataset, ["Two is even.", "Four is odd: wrong."], domain="math")
    return dataset


def worked(lab, method, **parameters):
    texts = {name: str(value) for name, value in parameters.items()}
    run = create_run(lab, method, model="m", parameters=texts).run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    return run


def values(run):
    order = ("segment__response__position", "segment__position")
    return list(run.predictions.order_by(*order).values_list("value", flat=True))


@pytest.mark.parametrize("method", ROWS)
def test_every_row_of_the_table_runs(lab, model, method):
    run = worked(lab, method)

    assert (run.state, values(run)) == ("finished", ["supported", "not_supported"] * 3)


@pytest.mark.parametrize(
    ("method", "fallbacks"),
    [
        ("felm-segment-cot", {}),
        ("felm-claim", {"math": 2}),
        ("felm-segment-link", {"math": 2, "no link": 2}),
        ("felm-claim-doc", {"math": 2, "no document": 2}),
    ],
)
def test_a_run_counts_why_units_fell_back(lab, model, method, fallbacks):
    assert progress_of(worked(lab, method)).fallbacks == fallbacks


def test_claims_are_paid_for_once_whatever_method_judges_them(lab, model):
    worked(lab, "felm-claim")
    first = model.stats()["total"]
    worked(lab, "felm-claim-cot")
    second = model.stats()["total"] - first

    # Two responses by claims, one by segments.
    assert first == 2 + 3
    assert second == 3


def test_what_falls_back_shares_its_answers_with_the_segment_based_method(lab, model):
    worked(lab, "felm-segment")
    before = model.stats()["total"]
    worked(lab, "felm-segment-doc")

    assert model.stats()["total"] - before == 1


def test_self_consistency_is_nine_answers_a_response(lab, model):
    run = worked(lab, "felm-self-consistency")

    assert model.stats()["total"] == 9 * 3
    assert set(run.predictions.values_list("score", flat=True)) == {0.0, 1.0}


def test_a_run_by_claims_is_read_again_without_a_call(lab, model):
    run = worked(lab, "felm-claim", profile="paper")
    before = model.stats()["total"]
    again = read_again(run, "repaired").run
    work_on(RunJob(), again.pk)

    assert values(again) == values(run)
    assert model.stats()["total"] == before
