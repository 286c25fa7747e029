"""A document in windows, and its log-probability, by hand."""

import asyncio

import pytest

from factor.language_model import NotScorableError
from factor.perplexity.score import MARGIN, score_document
from factor.perplexity.windows import windows
from factor.tokens import tokens_of
from tests.factor.word_model import WordModel, logprob

TEXT = "a b c d e f g"


def spans(text):
    return asyncio.run(WordModel().tokens(text))


def cut(text, spans, most):
    return [(text[w.before : w.start], text[w.start : w.end]) for w in windows(text, spans, most)]


def test_a_window_begins_with_the_last_token_of_the_one_before():
    assert cut(TEXT, spans(TEXT), 4) == [("a", " b c d"), (" d", " e f g")]


def test_the_last_window_may_be_short():
    assert cut(TEXT, spans(TEXT), 5) == [("a", " b c d e"), (" e", " f g")]


def test_a_window_ends_before_white_space():
    pieces = [(0, 3), (3, 6), (6, 11), (11, 13)]  # "unb|ear| able|le"

    assert cut("unbear ablele", pieces, 4) == [("unb", "ear ablele")]
    assert cut("unbear ablele", pieces, 3) == [("unb", "ear"), ("ear", " ablele")]


def test_without_white_space_a_window_ends_with_its_last_token():
    assert cut("abcde", [(n, n + 1) for n in range(5)], 3) == [("a", "bc"), ("c", "de")]


def test_a_single_token_gives_no_window():
    assert cut("a", [(0, 1)], 4) == []


def test_tokens_of_a_long_text_are_asked_for_in_pieces():
    text = "one two three four five six"

    assert asyncio.run(tokens_of(WordModel(), text, 4)) == spans(text)


def test_every_token_but_the_first_is_counted_once():
    model = WordModel()
    found = asyncio.run(score_document(model, " a a b\na a \n", 3 + MARGIN))

    # "a" | " a" " b" after "a", then "\na" " a" after " b".
    expected = logprob("a", ["a"]) + logprob("b", ["a", "a"]) + logprob("a", ["b"]) + logprob("a", ["b", "a"])
    assert found.total == pytest.approx(expected)
    assert (found.count, found.characters, found.windows) == (4, len(" a b\na a"), 2)
    assert model.asked == [("a", [" a b"]), (" b", ["\na a"])]


def test_a_text_that_fits_is_one_window():
    found = asyncio.run(score_document(WordModel(), "a b a", 1024))

    assert found.total == pytest.approx(logprob("b", ["a"]) + logprob("a", ["a", "b"]))


@pytest.mark.parametrize("text", ["", " \n", "word"])
def test_a_text_of_less_than_two_tokens_has_no_score(text):
    with pytest.raises(NotScorableError, match="fewer than two tokens"):
        asyncio.run(score_document(WordModel(), text, 64))
