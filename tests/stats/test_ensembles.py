"""Several judges as one, worked by hand."""

import numpy as np
import pytest

from stats.detection import CORRECT, ERROR, MISSING, UNPARSED, roll_up
from stats.ensembles import at_least, cascade, majority, unsure

C, E, U, M = CORRECT, ERROR, UNPARSED, MISSING


def said(*codes):
    return np.array(codes, dtype=np.int8)


def combined(needed, *units):
    """Each unit's outcome from what the judges said of it."""
    return at_least([said(*column) for column in zip(*units, strict=True)], needed).tolist()


def test_supported_only_if_both_say_so():
    assert combined(1, (C, C), (C, E), (E, C), (E, E)) == [C, E, E, E]


def test_an_error_only_if_both_say_so():
    assert combined(2, (C, C), (C, E), (E, C), (E, E)) == [C, C, C, E]


def test_an_unparsed_output_stays_so_unless_the_other_settles_it():
    assert combined(1, (E, U), (C, U), (U, U)) == [E, U, U]
    assert combined(2, (E, U), (C, U), (U, U)) == [U, C, U]


def test_a_missing_one_stays_so_and_unparsed_prevails_over_missing():
    assert combined(1, (E, M), (C, M), (U, M), (M, M)) == [E, M, U, M]


def test_two_of_three_settle_a_majority_whatever_the_third_would_have_said():
    assert combined(majority(3, ties_are_errors=True), (E, E, U), (C, C, M), (E, C, U), (E, C, M)) == [E, C, U, M]


@pytest.mark.parametrize(("ties_are_errors", "outcome"), [(True, E), (False, C)])
def test_a_tie_of_four_says_what_ties_say(ties_are_errors, outcome):
    assert combined(majority(4, ties_are_errors), (E, E, C, C)) == [outcome]


def test_of_four_a_tie_that_the_unknown_one_may_break_is_unknown_unless_ties_settle_it():
    assert combined(majority(4, ties_are_errors=True), (E, E, C, U), (E, C, C, U)) == [E, U]
    assert combined(majority(4, ties_are_errors=False), (E, E, C, U), (E, C, C, U)) == [U, C]


def test_one_alarm_being_enough_is_how_parts_make_a_whole():
    """Supported only if all say so is the roll-up of docs/statistics.md, Error detection, over judges."""
    everything = [(one, other) for one in (C, E, U, M) for other in (C, E, U, M)]
    flat = said(*(code for pair in everything for code in pair))
    rolled = roll_up(flat, np.repeat(np.arange(16), 2), 16)
    assert combined(1, *everything) == rolled.tolist()


def test_who_is_unsure():
    scores = np.array([0.9, 0.1, 0.6, 0.4, 0.8, np.nan, np.nan])
    decisions = said(C, E, C, E, C, C, U)
    # 0.8 is sure enough; a decision without a score is not; what has no decision is not unsure but undecided.
    assert unsure(decisions, scores, 0.8).tolist() == [False, False, True, True, False, True, False]


def test_a_cascade_takes_the_seconds_word_where_it_is_asked_decided_or_not():
    asked = np.array([True, True, True, False])
    assert cascade(said(C, U, E, U), said(E, C, M, E), asked).tolist() == [E, C, M, U]
