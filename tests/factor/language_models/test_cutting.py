"""How much of a prefix an endpoint reads, where characters are several tokens and where it takes few: by hand."""

import asyncio

import pytest

from factor.language_models.base import NotScorableError
from factor.language_models.endpoint import EndpointModel
from llm.errors import RequestRefusedError
from tests.factor.language_models.byte_server import ByteServer

JAPANESE = "日本語の文章です。ここから"  # 13 characters, 39 bytes


def score(server, prefix, completions, context_length):
    async def work():
        async with asyncio.timeout(60):
            return await EndpointModel(server, 1).score(prefix, completions, context_length)

    return asyncio.run(work())


def whole(character):
    return 1


def test_a_prefix_is_cut_between_characters_of_several_tokens():
    # The 3 bytes of " ab" leave 14 of 17: 4 characters, as a fifth would make it 18.
    server = ByteServer()

    found = score(server, JAPANESE, [" ab", " cd"], 17)

    assert [(each.prefix_tokens, len(each.tokens)) for each in found] == [(12, 3), (12, 3)]
    assert list(dict.fromkeys(server.sent))[-2:] == ["ここから ab", "ここから cd"]


@pytest.mark.parametrize("context_length", range(7, 43))
def test_no_more_is_cut_than_needed_and_at_least_a_character(context_length):
    (found,) = score(ByteServer(), JAPANESE, [" ab"], context_length)

    assert found.prefix_tokens == (context_length - 3) // 3 * 3


def test_where_not_even_the_last_character_fits_there_is_no_score():
    # 3 of "ら" and 3 of " ab" are one more than 5.
    (found,) = score(ByteServer(), JAPANESE, [" ab"], 5)

    assert isinstance(found, NotScorableError)
    assert "No part of the prefix" in str(found)


def test_a_completion_without_room_for_a_prefix_cuts_nothing_from_the_others():
    # Of 12 tokens the 10 of the first leave room for none of the 3 of a character, the 3 of the second for 9.
    long, short = score(ByteServer(), JAPANESE, [" abcdefghi", " ab"], 12)

    assert isinstance(long, NotScorableError)
    assert short.prefix_tokens == 9


def test_completions_that_fit_are_read_after_the_same_as_the_one_with_most_tokens():
    # "でも" has fewer characters than " abc", but more tokens: its 6 of 17 leave 11, which are 3 characters of 3.
    server = ByteServer()

    found = score(server, JAPANESE, [" abc", "でも"], 17)

    assert [each.prefix_tokens for each in found] == [9, 9]
    assert list(dict.fromkeys(server.sent))[-2:] == ["こからでも", "こから abc"]


def test_a_server_that_takes_few_characters_is_sent_as_many_as_fit():
    # A token a character: 64 less the 2 of the completion.
    (found,) = score(ByteServer(66, whole), "字" * 500, ["です"], 64)

    assert (found.prefix_tokens, len(found.tokens)) == (62, 2)


@pytest.mark.parametrize(
    ("prefix", "prefix_tokens"),
    [
        ("字" * 500, 57),  # 19 characters of 3 tokens: of a 20th there would be 60, and 6 of the completion
        ("aé" * 250, 57),  # 19 of 1 token and 19 of 2: the next has 2
        ("a" * 470 + "é" * 20, 58),  # 20 of 2 tokens, 18 of 1
    ],
)
def test_a_server_that_takes_few_tokens_is_sent_as_many_as_fit(prefix, prefix_tokens):
    (found,) = score(ByteServer(66), prefix, ["です"], 64)

    assert (found.prefix_tokens, len(found.tokens)) == (prefix_tokens, 6)


def test_a_completion_of_more_tokens_than_the_longest_makes_the_server_take_less_before_all():
    # Beside " abcd" there is room for 59, beside "日本語" for 55: with 59 it would be 68, which is refused.
    found = score(ByteServer(66), "a" * 500, [" abcd", "日本語"], 64)

    assert [(each.prefix_tokens, len(each.tokens)) for each in found] == [(55, 5), (55, 9)]


def test_a_prefix_of_which_the_server_will_not_read_a_part_is_read_from_after_it():
    server = ByteServer()

    async def squeamish(messages):
        if "x" in messages[0]["content"]:
            raise RequestRefusedError("no")
        return await server(messages)

    # Of 6 * 20 characters down to 3 * 20 there is an x; 2 * 20 are more than fit.
    (found,) = score(squeamish, "a" * 100 + "x" * 10 + "b" * 45, [" cd"], 20)

    assert found.prefix_tokens == 17


def test_a_completion_that_the_server_refuses_by_itself_has_no_score():
    (found,) = score(ByteServer(20), JAPANESE, ["ではありません。"], 64)

    assert isinstance(found, NotScorableError)
