"""The near context of a sentence."""

from factor.filtering.sentence_pairs import near_context, shortened

PREFIX = "A bell rang.\n\nThe harbour was  cold. "


def test_it_is_the_end_of_the_prefix_as_it_is_written():
    assert near_context(PREFIX, 3) == "harbour was  cold. "
    assert near_context(PREFIX, 100) == PREFIX


def test_there_may_be_none():
    assert near_context(PREFIX, 0) == near_context("", 5) == near_context(" \n", 5) == ""


def test_it_is_shortened_word_by_word_from_its_beginning():
    assert list(shortened("was  cold. ")) == ["was  cold. ", "cold. ", ""]
