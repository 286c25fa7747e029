"""Vectors are paid for once, over real HTTP. The fake server's vector of a text: its characters, its words, 1."""

import asyncio

import pytest

from llm.errors import RequestRefusedError
from llm.models import Embedding

BORN, WROTE = "Ada was born.", "She wrote programs for it."


def test_each_text_has_its_vector_in_the_order_of_the_texts(server, with_asker):
    vectors = with_asker(lambda ask: ask.embed([BORN, WROTE, BORN], "e"))

    assert vectors == [[13, 3, 1], [26, 5, 1], [13, 3, 1]]
    assert server.stats()["total"] == 1


def test_a_text_is_sent_once(server, with_asker):
    with_asker(lambda ask: ask.embed([BORN], "e"))
    with_asker(lambda ask: ask.embed([BORN, WROTE], "e"))
    with_asker(lambda ask: ask.embed([BORN, WROTE], "e"))

    assert server.stats()["total"] == 2
    assert Embedding.objects.count() == 2


def test_the_same_text_twice_at_once_is_sent_once(server, with_asker):
    server.control(latency=0.1)

    async def talk(ask):
        return await asyncio.gather(*(ask.embed([BORN], "e") for _ in range(5)))

    assert with_asker(talk) == [[[13, 3, 1]]] * 5
    assert server.stats()["total"] == 1


def test_another_model_has_vectors_of_its_own(server, with_asker):
    with_asker(lambda ask: ask.embed([BORN], "e"))
    with_asker(lambda ask: ask.embed([BORN], "f"))

    assert server.stats()["total"] == 2


def test_many_texts_go_in_several_calls(server, with_asker):
    texts = ["a" * number for number in range(1, 131)]

    vectors = with_asker(lambda ask: ask.embed(texts, "e"))

    assert [vector[0] for vector in vectors] == list(range(1, 131))
    assert server.stats()["total"] == 3  # 64, 64 and 2


def test_an_answer_with_too_few_vectors_is_refused(server, with_asker):
    server.control(raw_body='{"data": [{"index": 0, "embedding": [1.0]}]}')

    with pytest.raises(RequestRefusedError, match="not embeddings"):
        with_asker(lambda ask: ask.embed([BORN, WROTE], "e"))
    assert not Embedding.objects.exists()
