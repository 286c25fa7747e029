"""Which kinds of error apply to a sentence, and by which words (FACTOR appendix A.1)."""

import pytest

from factor.applicability.error_types import applicable_types
from factor.applicability.link_words import link_words_in
from knowledge.english import LONGEST


def test_each_kind_that_applies_comes_with_its_words_in_the_order_of_the_kinds():
    found = applicable_types("After leaving Lisbon in 1985, she taught physics because the school needed her.")
    assert list(found) == ["entity", "predicate", "circumstance", "coreference", "link"]
    assert found["entity"] == ["Lisbon", "physics", "school"]
    assert found["predicate"] == ["leaving", "taught", "needed"]
    assert found["circumstance"] == ["Lisbon", "1985"]
    assert found["coreference"] == ["she", "her"]
    assert found["link"] == ["After", "because"]


def test_a_sentence_without_pronoun_place_time_or_link_has_two_kinds():
    assert set(applicable_types("The old engineer repaired the wooden bridge with great patience.")) == {
        "entity",
        "predicate",
    }


def test_a_copula_is_a_predicate():
    assert applicable_types("The tower is taller than the church.")["predicate"] == ["is"]


def test_pronouns_that_stand_for_nobody_are_no_reference():
    assert "coreference" not in applicable_types("There was nobody who knew the answer.")


def test_a_possessive_pronoun_is_a_reference():
    assert applicable_types("The painter sold his studio.")["coreference"] == ["his"]


def test_a_word_that_comes_twice_is_told_once():
    assert applicable_types("The dog met another dog.")["entity"] == ["dog"]


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("He resigned as a result of the vote.", ["as a result"]),
        ("The match was stopped because of rain.", ["because of"]),
        ("Prior to the war the harbour was small.", ["Prior to"]),
        ("They left as\nsoon as it was dark.", ["as soon as"]),
        ("The afternoon was sincerely pleasant.", []),
    ],
)
def test_link_words_are_whole_words_the_longest_first(sentence, words):
    assert link_words_in(sentence) == words


@pytest.mark.parametrize("sentence", ["", "   ", "!!! ???"])
def test_to_what_is_no_sentence_nothing_applies(sentence):
    assert applicable_types(sentence) == {}


def test_of_an_endless_sentence_the_beginning_is_read():
    assert applicable_types("and so on " * LONGEST + "to Lisbon").get("circumstance") is None
