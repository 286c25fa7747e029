"""Where the prefix ends and the continuation begins."""

import math

import pytest

from factor.language_models.base import NotScorableError
from factor.language_models.borders import checked, first_of_continuation, join, scored


@pytest.mark.parametrize(
    ("prefix", "border", "moved"),
    [("It rains.", 9, 0), ("It rains. ", 9, 1), ("It rains.\n", 10, 0), ("Zürich 🙂 ", 8, 1), ("", 0, 0), (" ", 0, 1)],
)
def test_a_space_at_the_end_of_the_prefix_is_the_continuations(prefix, border, moved):
    joined = join(prefix, "We stay.")

    assert (joined.text, joined.border, joined.moved) == (prefix + "We stay.", border, moved)


def test_only_one_of_two_spaces_is_moved():
    assert join("It rains.  ", "We stay.").border == 10


def test_a_token_on_both_sides_is_the_continuations():
    spans = [(0, 2), (2, 9), (9, 14)]  # "It", " rains.", ...

    assert first_of_continuation(spans, 9) == 2
    assert first_of_continuation(spans, 8) == 1


def test_scores_tell_characters_of_the_continuation_and_what_was_taken_of_the_prefix():
    joined = join("It is n", "ot so")
    found = scored(joined, [(5, 9), (9, 12)], [-1.0, -2.0], 2)  # " not", " so"

    assert [(token.start, token.end) for token in found.tokens] == [(0, 2), (2, 5)]
    assert (found.moved, found.prefix_tokens, found.total, found.mean) == (2, 2, -3.0, -1.5)


def test_a_moved_space_that_is_a_token_of_its_own_is_counted():
    found = scored(join("In ", "1867"), [(2, 3), (3, 7)], [-1.0, -2.0], 1)

    assert [(token.start, token.end) for token in found.tokens] == [(0, 0), (0, 4)]
    assert (found.moved, found.mean) == (1, -1.5)


@pytest.mark.parametrize("logprob", [None, math.nan])
def test_a_token_without_a_log_probability_is_no_score(logprob):
    with pytest.raises(NotScorableError, match="no log-probability of 'We'"):
        scored(join("", "We stay"), [(0, 2), (2, 7)], [logprob, -1.0], 0)


def test_tokens_cover_the_text_but_for_white_space_that_the_next_takes():
    assert checked([(0, 2), (3, 8)], "It rains\n") == [(0, 2), (2, 9)]


@pytest.mark.parametrize("spans", [[(0, 2)], [(3, 8)], []])
def test_characters_without_a_token_are_found(spans):
    with pytest.raises(NotScorableError, match="No token of the model has the characters"):
        checked(spans, "It rains")
