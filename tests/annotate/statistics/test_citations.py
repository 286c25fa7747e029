"""Which sentences carry a citation."""

import pytest

from annotate.statistics.citations import cited


@pytest.mark.parametrize(
    "text", ["Born in 1950.[1]", "Born [2][3] in Ulm.", "Born in Ulm [1, 4].", "Born in Ulm [2–5].", "Born [^1^]."]
)
def test_numbers_in_brackets_are_citations(text):
    assert cited(text, [text]) == [True]


@pytest.mark.parametrize("text", ["Born in 1950.", "The film [1998] won.", "He [sic] won.", "A(1) and {2}."])
def test_other_brackets_are_none(text):
    assert cited(text, [text]) == [False]


def test_a_mark_that_opens_a_sentence_belongs_to_the_one_before():
    sentences = ["Born in Ulm.", "[1][2] He drew.", "He sang."]
    assert cited(" ".join(sentences), sentences) == [True, False, False]


def test_a_mark_that_opens_a_response_stays_with_its_sentence():
    assert cited("[1] He drew.", ["[1] He drew."]) == cited("[1] He drew.", ["He drew."]) == [True]


def test_a_sentence_may_open_with_the_mark_of_another_and_carry_its_own():
    assert cited("Born in Ulm. [1] He drew.[2]", ["Born in Ulm.", "[1] He drew.[2]"]) == [True, True]


def test_marks_of_the_response_belong_to_its_sentences_without_marks():
    response = "Ann [1] sang. She drew.[2][3] She left.\nShe won [4]."
    assert cited(response, ["Ann sang.", "She drew.", "She left.", "She won."]) == [True, True, False, True]


def test_a_sentence_that_is_not_in_a_response_with_marks_is_unknown():
    assert cited("Ann sang.[1] He sat.[2]", ["Ann sang.", "He stood.", "He sat."]) == [True, None, True]


def test_a_mark_behind_a_sentence_that_is_not_there_belongs_to_none():
    assert cited("Ann sang. He sat.[1]", ["Ann sang."]) == [False]


def test_a_sentence_with_a_mark_of_its_own_is_cited_where_it_is_not_found():
    assert cited("Ann sang.[1]", ["Bo sat.[2]"]) == [True]
