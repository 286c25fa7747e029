"""The index of a source ranks as rank_bm25 does."""

import math
import random

import numpy as np
import pytest

from knowledge.bm25 import PassageIndex
from knowledge.inverted import IndexBuilder, best


def index_over(*passages):
    builder = IndexBuilder()
    for key, passage in enumerate(passages):
        builder.add(10 * key, passage)
    return builder.build()


def test_the_score_of_a_passage_is_its_bm25_weight():
    index = index_over("Bees dance.", "Ants march, bees rest.")

    # "dance" is in one of two passages, which has 2 words, the mean is 3: log 3 · 2.5 / (1.5 (0.25 + 0.75 · 2/3) + 1)
    assert index.scores(["dance"]) == pytest.approx([math.log(3) * 2.5 / 2.125, 0])


def test_a_word_that_the_query_holds_twice_counts_twice():
    index = index_over("Bees dance.", "Ants march.")

    assert index.scores(["bees", "bees"])[0] == pytest.approx(2 * index.scores(["bees"])[0])


def test_places_keep_the_keys_they_were_given():
    assert index_over("Bees dance.", "--", "Ants march.").keys.tolist() == [0, 10, 20]


def test_a_passage_without_content_words_changes_no_score():
    with_it, without = index_over("Bees dance.", "of the", "Ants march."), index_over("Bees dance.", "Ants march.")

    assert with_it.scores(["ants"])[2] == without.scores(["ants"])[1]


def test_an_unknown_word_finds_nothing():
    assert best(index_over("Bees dance.").scores(["wasps"]), 3).tolist() == []


def test_an_index_of_nothing_finds_nothing():
    assert best(index_over().scores(["bees"]), 3).tolist() == []
    assert best(index_over("of the").scores(["bees"]), 3).tolist() == []


def test_alike_passages_keep_their_order():
    index = index_over("Bees (1).", "Ants.", "Bees (2).", "Bees (3).", "Ants.")

    assert best(index.scores(["bees"]), 2).tolist() == [0, 2]


def test_the_ranking_is_that_of_rank_bm25():
    drawn = random.Random(7)
    words = [f"word{number}" for number in range(60)]
    passages = [" ".join(drawn.choices(words, k=drawn.randint(1, 40))) for _ in range(400)]
    ours, theirs = index_over(*passages), PassageIndex(passages)

    for query in ([*passages[7].split()], ["word1"], ["word3", "word59", "word3"]):
        found = best(ours.scores(query), 400)
        assert found.tolist() == theirs.ranking(query)[: len(found)]
        assert np.all(ours.scores(query)[theirs.ranking(query)[len(found) :]] == 0)
