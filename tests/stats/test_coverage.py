"""How often intervals hold, by a small simulation of `python -m bench.coverage`; seeds are fixed."""

import json

import numpy as np
import pytest

from bench.coverage.coverage import HEAD, Effort, coverage_rows, line_of, summary_of
from bench.coverage.figures import FIGURES, agreement_sums
from bench.coverage.population import SCENARIOS, simulate
from stats.agreement import cohen_kappa, gwet_ac1, sum_by_cluster, unpack

FAIR, GOOD, RARE = SCENARIOS
BY_NAME = {each.name: each for each in FIGURES}
EFFORT = Effort(samples=600, resamples=500)


@pytest.mark.parametrize("scenario", [FAIR, GOOD])
@pytest.mark.parametrize("figure", ["F1", "Cohen's κ of two annotators", "FActScore"])
def test_at_30_prompts_intervals_hold_where_the_quantiles_of_resamples_do_not(scenario, figure):
    """Nine prompts have an error on average: the quantiles held 86 % of the time, 69 % at ten prompts.

    Of 400 samples or more with an interval, chance takes 95 % to 92.8 % once in fifty; measured are 95 % and more.
    """
    thirty, ten = coverage_rows(scenario, (30, 10), EFFORT, [BY_NAME[figure]])
    assert thirty.effective.share >= 0.93
    if figure != "FActScore":
        assert thirty.percentile.share <= 0.92
        assert ten.percentile.share <= 0.8
        assert ten.effective.withheld > 0.95


@pytest.mark.parametrize("figure", ["F1", "Balanced accuracy", "Recall", "F1, difference of two evaluators"])
def test_from_15_prompts_with_an_error_on_intervals_are_as_wide_as_they_have_to_be(figure):
    """The oracle's width is that of the figure itself over the samples."""
    (row,) = coverage_rows(RARE, (170,), EFFORT, [BY_NAME[figure]])
    assert 0.925 <= row.effective.share <= 0.985
    assert 0.9 < row.effective.width < 1.2
    assert row.effective.share > row.percentile.share


def test_domains_that_are_resampled_apart_do_not_narrow_the_interval():
    whole, parted = (coverage_rows(GOOD, (30,), EFFORT, [BY_NAME["F1"]], strata=strata)[0] for strata in (1, 5))
    assert parted.effective.width == pytest.approx(whole.effective.width, rel=0.05)
    assert parted.effective.share >= 0.93


def test_the_sums_of_simulated_annotators_are_those_of_their_units():
    # Both call an error 3, only the first 2, only the other 1, neither 4.
    units = [(1, 1)] * 3 + [(1, 0)] * 2 + [(0, 1)] + [(0, 0)] * 4
    of_units = sum_by_cluster(np.array(units), 2, np.zeros(10, dtype=np.int64), 1)
    of_cells = agreement_sums(np.array([[3, 2, 1, 4]]))
    assert of_cells == pytest.approx(of_units)
    assert cohen_kappa(unpack(of_cells[0], 2)) == pytest.approx(0.4)
    assert gwet_ac1(unpack(of_cells[0], 2)) == pytest.approx((0.7 - 0.495) / (1 - 0.495))


def test_the_population_is_clustered_like_felms():
    """18 % of the segments are errors, in 30 % of the prompts, 5.2 segments a prompt."""
    counts = simulate(FAIR, seed=1).evaluators[0]
    errors, units = counts[:, [0, 2]].sum(axis=1), counts.sum(axis=1)
    assert units.mean() == pytest.approx(5.2, abs=0.15)
    assert errors.sum() / units.sum() == pytest.approx(0.18, abs=0.01)
    assert (errors > 0).mean() == pytest.approx(0.3, abs=0.03)


def test_the_units_and_errors_can_be_those_of_a_file(tmp_path):
    lines = [{"labels": [True, False, True], "response": "A separator \u2028 ends no line."}, {"labels": [True]}]
    path = tmp_path / "labels.jsonl"
    path.write_text("\n".join(json.dumps(each, ensure_ascii=False) for each in lines), encoding="utf-8")
    counts = simulate(FAIR, 1, path).evaluators[0]
    assert counts[:, [0, 2]].sum(axis=1).tolist() == [1, 0]
    assert counts.sum(axis=1).tolist() == [3, 1]


def test_a_row_is_a_line_of_the_table():
    (row,) = coverage_rows(FAIR, (10,), Effort(40, 100), [BY_NAME["Recall"]])
    assert line_of(row).count("|") == HEAD.splitlines()[0].count("|")
    assert "– | – | 100 %" in line_of(row)
    head, _, line = summary_of([row]).splitlines()
    assert head == "| figure | a fair evaluator: 3 of 10 |"
    assert line.startswith("| Recall | – (")
