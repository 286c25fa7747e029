"""Claims beside units, worked by hand."""

import numpy as np
import pytest

from stats.bootstrap import Resampling
from stats.detection import CORRECT, ERROR, MISSING, UNPARSED
from stats.extraction import (
    FIGURES,
    NO_CLAIMS,
    NO_GOLD,
    NO_UNITS,
    NOT_EXTRACTED,
    ExtractionColumns,
    describe_extraction,
)
from stats.proportions import shares_where


def ints(*values):
    return np.array(values, dtype=np.int64)


def decisions(*values):
    return np.array(values, dtype=np.int8)


def described(gold, said, alignments, unit_prompt=None, claim_prompt=None, prompts=1, left_out=0):
    """alignments: pairs of a claim and a unit; prompts: all are of the first unless said otherwise; left_out: responses
    judged without claims."""
    columns = ExtractionColumns(
        gold=decisions(*gold),
        unit_prompt=ints(*(unit_prompt or [0] * len(gold))),
        said=decisions(*said),
        claim_prompt=ints(*(claim_prompt or [0] * len(said))),
        claim=ints(*(claim for claim, _ in alignments)),
        unit=ints(*(unit for _, unit in alignments)),
        slices=(),
        unit_slice=ints(*[-1] * len(gold)),
        claim_slice=ints(*[-1] * len(said)),
        left_out_slice=ints(*[-1] * left_out),
    )
    return describe_extraction(columns, Resampling(np.zeros(prompts, dtype=np.int64)))


def counts(extraction):
    return {key: (figure["count"], figure["n"]) for key, figure in extraction["figures"].items()}


def test_claims_and_units_are_counted_by_their_alignments():
    # Units: 0 correct, 1 an error, 2 correct, 3 an error, 4 without gold.
    # Claims: 0 says unit 0 and is right; 1 says units 0 and 1, which gold calls an error, and is called correct: wrong;
    # 2 says unit 3 and is called an error: right; 3 says unit 4 alone, which has no gold; 4 says nothing; 5 says units
    # 3 and 4, is called an error, and is right by unit 3.
    extraction = described(
        [CORRECT, ERROR, CORRECT, ERROR, MISSING],
        [CORRECT, CORRECT, ERROR, CORRECT, CORRECT, ERROR],
        [(0, 0), (1, 0), (1, 1), (2, 3), (3, 4), (5, 3), (5, 4)],
    )

    assert (extraction["claims"], extraction["units"]) == (6, 4)
    assert counts(extraction) == {
        "claim_precision": (3, 4),  # of claims 0, 1, 2 and 5
        "unit_coverage": (3, 4),  # units 0, 1 and 3 of those with gold
        "missing_units": (1, 4),  # unit 2
        "invented_claims": (1, 6),  # claim 4
        "merged_claims": (2, 6),  # claims 1 and 5
    }
    assert extraction["figures"]["claim_precision"]["share"] == 0.75


def test_a_claim_of_two_units_is_right_where_it_has_the_error_of_one():
    both = [(0, 0), (0, 1)]

    assert counts(described([CORRECT, ERROR], [ERROR], both))["claim_precision"] == (1, 1)
    assert counts(described([CORRECT, CORRECT], [ERROR], both))["claim_precision"] == (0, 1)
    assert counts(described([CORRECT, CORRECT], [CORRECT], both))["claim_precision"] == (1, 1)


def test_an_unparsed_claim_is_never_right():
    assert counts(described([CORRECT, ERROR], [UNPARSED, UNPARSED], [(0, 0), (1, 1)]))["claim_precision"] == (0, 2)


def test_what_nothing_can_be_said_of_is_undefined_and_says_why():
    def shares(extraction):
        return {key: (figure["share"], figure["why"]) for key, figure in extraction["figures"].items()}

    assert shares(described([CORRECT], [], [])) == {
        "claim_precision": (None, NO_GOLD),
        "unit_coverage": (0.0, ""),
        "missing_units": (1.0, ""),
        "invented_claims": (None, NO_CLAIMS),
        "merged_claims": (None, NO_CLAIMS),
    }
    assert shares(described([MISSING], [CORRECT], [(0, 0)])) == {
        "claim_precision": (None, NO_GOLD),
        "unit_coverage": (None, NO_UNITS),
        "missing_units": (None, NO_UNITS),
        "invented_claims": (0.0, ""),
        "merged_claims": (0.0, ""),
    }
    assert shares(described([], [], [])) == {key: (None, kind.why) for key, kind in FIGURES.items()}
    assert shares(described([MISSING], [], [], left_out=1)) == dict.fromkeys(FIGURES, (None, NOT_EXTRACTED))


def test_responses_judged_without_claims_are_counted_beside_the_figures():
    found = described([CORRECT, MISSING], [CORRECT], [(0, 0)], left_out=2)

    assert (found["claims"], found["units"], found["left_out"]) == (1, 1, 2)
    assert counts(found)["unit_coverage"] == (1, 1)


def test_below_eight_prompts_there_is_no_interval():
    assert described([CORRECT], [CORRECT], [(0, 0)])["figures"]["unit_coverage"]["interval"] is None


def test_intervals_resample_whole_prompts():
    """Sixteen prompts of two units and two claims each: of eight both units are covered, of eight none is. The interval
    is that of the sixteen prompts, as of any share, not that of thirty-two units."""
    prompts = [place // 2 for place in range(32)]
    alignments = [(claim, claim) for claim in range(16)]

    extraction = described([CORRECT] * 32, [CORRECT] * 32, alignments, prompts, prompts, 16)

    covered = extraction["figures"]["unit_coverage"]
    (witness,) = shares_where(
        np.arange(32)[:, None] < 16,
        np.ones((32, 1), dtype=np.bool_),
        ints(*prompts),
        Resampling(np.zeros(16, dtype=np.int64)),
    )
    assert covered["share"] == 0.5
    assert covered["interval"] == pytest.approx(witness.interval.ends())
    # Fifteen independent draws would have about 0.24 to 0.76; thirty-one 0.33 to 0.67.
    assert covered["interval"][0] < 0.28
    invented = extraction["figures"]["invented_claims"]
    assert (invented["count"], invented["n"], invented["interval"]) == (16, 32, pytest.approx(covered["interval"]))
