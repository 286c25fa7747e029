"""Where something is looked up, and what for."""

import asyncio

from factor.retrieval.strides import plan
from tests.factor.word_model import WordModel

PREFIX = "a b c d e f g h"
MODEL = WordModel()


def planned(prefix, continuation, stride=3, query_tokens=2):
    async def main():
        spans = await MODEL.tokens(prefix)
        return await plan(MODEL, prefix, spans, continuation, stride, query_tokens)

    return asyncio.run(main())


def test_a_stride_begins_at_every_so_many_tokens_with_a_query_of_the_last_ones_before_it():
    found = planned(PREFIX, " i j k l m n o")

    assert [(stride.start, stride.query) for stride in found.strides] == [(0, " g h"), (6, " j k"), (12, " m n")]
    assert found.tokens == 7


def test_a_query_reaches_back_into_the_prefix():
    assert planned(PREFIX, " i j k l", query_tokens=5).strides[1].query == " g h i j k"


def test_a_query_is_shorter_where_no_more_stands_before():
    assert planned("a", " b c d e", query_tokens=32).strides[1].query == "a b c d"


def test_without_a_prefix_the_first_query_is_empty():
    assert [stride.query for stride in planned("", "a b c d").strides] == ["", " b c"]


def test_a_space_of_the_prefix_that_the_first_token_takes_belongs_to_it():
    found = planned("a b ", "c d")

    assert [(stride.start, stride.query) for stride in found.strides] == [(-1, "a b")]
    assert found.tokens == 2
