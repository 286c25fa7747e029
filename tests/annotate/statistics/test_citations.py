"""Which sentences carry a citation."""

import pytest

from annotate.statistics.citations import cited


@pytest.mark.parametrize(
    "text", ["Born in 1950.[1]", "Born [2][3] in Ulm.", "Born in Ulm [1, 4].", "Born in Ulm [2–5].", "Born [^1^]."]
)
def test_numbers_in_brackets_are_citations(text):
    assert cited([(0, text)]) == [True]


@pytest.mark.parametrize("text", ["Born in 1950.", "The film [1998] won.", "He [sic] won.", "A(1) and {2}."])
def test_other_brackets_are_none(text):
    assert cited([(0, text)]) == [False]


def test_a_mark_that_opens_a_sentence_belongs_to_the_one_before():
    assert cited([(0, "Born in Ulm."), (0, "[1][2] He drew."), (0, "He sang.")]) == [True, False, False]


def test_a_mark_that_opens_a_response_stays_with_its_sentence():
    assert cited([(0, "Born in Ulm."), (1, "[1] He drew.")]) == [False, True]


def test_a_sentence_may_open_with_the_mark_of_another_and_carry_its_own():
    assert cited([(0, "Born in Ulm."), (0, "[1] He drew.[2]")]) == [True, True]
