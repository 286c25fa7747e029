"""A document in windows, and its log-probability, by hand."""

import asyncio

import pytest

from factor.language_models.base import NotScorableError
from factor.language_models.endpoint import EndpointModel
from factor.language_models.tokens import tokens_of
from factor.perplexity.score import MARGIN, score_document
from factor.perplexity.windows import windows
from llm.errors import AccessRefusedError, RequestRefusedError
from tests.factor.language_models.byte_server import ByteServer
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


# "日本語文", of each character three tokens.
THREE_EACH = [(place, place + 1) for place in range(4) for _ in range(3)]


def test_a_window_ends_between_characters_of_several_tokens():
    # Of 6 tokens 3 are the character before; of 7 too, as a third character would make it 9.
    expected = [("日", "本"), ("本", "語"), ("語", "文")]
    assert cut("日本語文", THREE_EACH, 6) == cut("日本語文", THREE_EACH, 7) == expected
    assert cut("日本語文", THREE_EACH, 9) == [("日", "本語"), ("語", "文")]


def test_a_character_of_more_tokens_than_a_window_is_counted_once():
    assert cut("日本語文", THREE_EACH, 4) == [("日", "本"), ("本", "語"), ("語", "文")]


def test_a_token_with_a_part_of_a_character_stays_with_the_rest_of_it():
    # "a" and two parts of "é" with the first of them in one token: "a\xc3|\xa9|b|c".
    assert cut("aébc", [(0, 2), (1, 2), (2, 3), (3, 4)], 3) == [("aé", "b"), ("b", "c")]


def test_of_characters_of_several_tokens_all_but_the_first_are_counted_once():
    model = EndpointModel(ByteServer(), 1)

    found = asyncio.run(score_document(model, "日本語文", 4 + MARGIN))

    # 4 * 3 tokens, less the 3 of the first character.
    assert (found.count, found.characters, found.total) == (9, 3, -9)


def test_a_single_token_gives_no_window():
    assert cut("a", [(0, 1)], 4) == []


def test_tokens_of_a_long_text_are_asked_for_in_pieces():
    text = "one two three four five six"

    assert asyncio.run(tokens_of(WordModel(), text, 4)) == spans(text)


def test_a_piece_that_is_refused_is_asked_for_in_halves():
    text = "字" * 50  # 3 tokens each: of 40 characters 120, of 20 60, of 10 30
    server = ByteServer(40)

    found = asyncio.run(tokens_of(EndpointModel(server, 1), text, 20))

    assert found == [(place, place + 1) for place in range(50) for _ in range(3)]
    assert [len(sent) for sent in server.sent] == [40, 20, 10, 10, 10, 10, 10]


def test_a_piece_that_must_fit_and_is_refused_is_a_failure():
    server = ByteServer(2)

    with pytest.raises(RequestRefusedError, match="15 tokens"):
        asyncio.run(tokens_of(EndpointModel(server, 1), "字" * 50, 20))
    assert [len(sent) for sent in server.sent] == [40, 20, 10, 5]


def test_an_endpoint_that_gives_no_access_is_asked_once():
    asked = []

    async def closed(messages):
        asked.append(messages)
        raise AccessRefusedError("the key is wrong")

    with pytest.raises(AccessRefusedError):
        asyncio.run(tokens_of(EndpointModel(closed, 1), "字" * 50, 20))
    assert len(asked) == 1


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
