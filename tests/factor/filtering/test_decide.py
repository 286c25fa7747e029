"""Kept or dropped, by figures worked by hand (FACTOR §3.2.3)."""

import pytest

from factor.filtering.decide import FilterFigures, decide
from factor.filtering.settings import ContradictionFilter, FilterSettings, FluencyFilter

BOTH = FilterSettings(ContradictionFilter(by="weights", weights="nli"), FluencyFilter(by="model", model="small"))


@pytest.mark.parametrize(
    ("contradiction", "fluency", "error_type", "reason"),
    [
        (0.61, -0.19, "entity", ""),
        (0.60, 0.0, "entity", "not contradictory"),  # strictly higher is kept
        (0.31, 0.0, "coreference", ""),
        (0.30, 0.0, "coreference", "not contradictory"),
        (0.31, 0.0, "link", "not contradictory"),
        (0.9, -0.2, "entity", "not fluent"),
        (0.9, 1.5, "entity", ""),
        (0.1, -9.0, "entity", "not contradictory"),  # the first that speaks against it
        (None, 0.0, "entity", "not measured"),
        (0.9, None, "entity", "not measured"),
    ],
)
def test_strictly_above_both_thresholds_is_kept(contradiction, fluency, error_type, reason):
    decision = decide(FilterFigures(contradiction, fluency), error_type, BOTH)
    assert (decision.reason, decision.kept) == (reason, not reason)


def test_the_sentence_names_figure_and_threshold():
    assert decide(FilterFigures(0.4567, 0.0), "entity", BOTH).explanation == (
        "Its probability of contradicting the original, 0.457, is not above the threshold 0.6."
    )
    assert "the threshold 0.3, that of coreference" in decide(FilterFigures(0.1, 0.0), "coreference", BOTH).explanation
    assert decide(FilterFigures(0.9, -0.35), "entity", BOTH).explanation == (
        "Its mean log-probability is 0.350 below the original's; it must be less than 0.2 below."
    )


def test_what_lacks_a_figure_says_what_the_filter_said():
    trouble = "The two sentences are longer than the model takes."
    assert decide(FilterFigures(None, 0.0, trouble), "entity", BOTH).explanation == trouble


def test_a_filter_that_is_none_lets_everything_pass():
    assert decide(FilterFigures(), "entity", FilterSettings()).kept
    only_fluency = FilterSettings(fluency=FluencyFilter(by="judge", model="m"))
    assert decide(FilterFigures(None, 0.0), "entity", only_fluency).kept
    assert (
        "probability of being fluent is 1.000 below"
        in decide(FilterFigures(None, -1.0), "entity", only_fluency).explanation
    )
