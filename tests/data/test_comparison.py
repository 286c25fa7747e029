"""What FELM can show, and who is told apart on it."""

import pytest

from annotate.corpus.importing import import_file
from annotate.models import Dataset
from evaluators.comparison.detectable import detectable_of
from evaluators.comparison.figures import compare
from evaluators.comparison.question import ComparisonQuestion
from stats.power import SimulatedRates

pytestmark = [pytest.mark.data, pytest.mark.django_db]


@pytest.fixture
def felm(published):
    import_file(published / "felm" / "all.jsonl", "felm", "felm")
    return Dataset.objects.get()


def test_the_smallest_difference_that_felm_can_show(felm):
    """About 0.05 to 0.07 F1 over all segments, 0.10 to 0.18 in one domain, for luck that is quite independent."""
    results = detectable_of(felm, None, rates=SimulatedRates(shared=0))["results"]
    found = {row["slice"]: row["difference"] for row in results if row["level"] == "segment"}

    assert 0.05 <= found.pop("all") <= 0.07
    assert len(found) == 5
    assert all(0.10 <= difference <= 0.18 for difference in found.values())


def test_calling_everything_an_error_is_better_than_drawing_and_has_no_rank(felm):
    """F1 0.302 against the 0.262 to be expected of a coin. Trivial baselines are in no family."""
    document = compare(felm, None, ComparisonQuestion("segment", "domain"))
    names = {row["evaluator"]: row for row in document["evaluators"]}
    pair = next(
        each for each in document["pairs"] if each["one"] == "always-not-supported" and each["other"] == "random"
    )

    assert names["always-not-supported"]["results"]["all"]["f1"] == pytest.approx(0.302, abs=0.0005)
    assert names["random"]["results"]["all"]["expected"]["f1"] == pytest.approx(787 / (787 / 2 + 3639 / 2 + 787))
    assert pair["difference"] > 0
    assert pair["p"] < 0.01
    assert pair["better"] is None and pair["p_adjusted"] is None
    assert names["always-not-supported"]["range"] is None
