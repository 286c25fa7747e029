"""The index of a source ranks as rank_bm25 does."""

import math
import random
from uuid import uuid4

import numpy as np
import pytest

from knowledge import index_build
from knowledge.bm25 import PassageIndex
from knowledge.index_build import IndexBuilder
from knowledge.source_index import SourceIndex, best, bm25
from knowledge.words import content_words


@pytest.fixture
def index_over(tmp_path):
    def build(*passages):
        folder = tmp_path / uuid4().hex
        folder.mkdir()
        builder = IndexBuilder(folder)
        for key, passage in enumerate(passages):
            builder.add(10 * key, passage)
        builder.finish()
        return SourceIndex.open(folder)

    return build


@pytest.fixture
def drawn():
    """400 passages of up to 40 words."""
    chance = random.Random(7)
    words = [f"word{number}" for number in range(60)]
    return [" ".join(chance.choices(words, k=chance.randint(1, 40))) for _ in range(400)]


def test_the_score_of_a_passage_is_its_bm25_weight(index_over):
    index = index_over("Bees dance.", "Ants march, bees rest.")

    # "dance" is in one of two passages, which has 2 words, the mean is 3: log 3 · 2.5 / (1.5 (0.25 + 0.75 · 2/3) + 1)
    assert index.scores(["dance"]) == pytest.approx([math.log(3) * 2.5 / 2.125, 0])


def test_a_word_that_the_query_holds_twice_counts_twice(index_over):
    index = index_over("Bees dance.", "Ants march.")

    assert index.scores(["bees", "bees"])[0] == pytest.approx(2 * index.scores(["bees"])[0])


def test_places_keep_the_keys_they_were_given(index_over):
    assert index_over("Bees dance.", "--", "Ants march.").keys.tolist() == [0, 10, 20]


def test_a_passage_without_content_words_changes_no_score(index_over):
    with_it, without = index_over("Bees dance.", "of the", "Ants march."), index_over("Bees dance.", "Ants march.")

    assert with_it.scores(["ants"])[2] == without.scores(["ants"])[1]


def test_an_unknown_word_finds_nothing(index_over):
    assert best(index_over("Bees dance.").scores(["wasps"]), 3).tolist() == []


def test_an_index_of_nothing_finds_nothing(index_over):
    assert best(index_over().scores(["bees"]), 3).tolist() == []
    assert best(index_over("of the").scores(["bees"]), 3).tolist() == []


def test_alike_passages_keep_their_order(index_over):
    index = index_over("Bees (1).", "Ants.", "Bees (2).", "Bees (3).", "Ants.")

    assert best(index.scores(["bees"]), 2).tolist() == [0, 2]


def test_the_ranking_is_that_of_rank_bm25(index_over, drawn):
    ours, theirs = index_over(*drawn), PassageIndex(drawn)

    for query in ([*drawn[7].split()], ["word1"], ["word3", "word59", "word3"]):
        found = best(ours.scores(query), 400)
        assert found.tolist() == theirs.ranking(query)[: len(found)]
        assert np.all(ours.scores(query)[theirs.ranking(query)[len(found) :]] == 0)


def test_the_weights_are_those_that_bm25s_would_have_built(index_over, drawn, monkeypatch):
    monkeypatch.setattr(index_build, "CHUNK", 7)
    theirs = bm25()
    theirs.index([content_words(passage) for passage in drawn], show_progress=False)

    query = drawn[7].split()
    assert index_over(*drawn).scores(query) == pytest.approx(theirs.get_scores(query))


def test_chunks_change_nothing(index_over, drawn, monkeypatch):
    whole = index_over(*drawn).scores(["word1", "word2"])
    monkeypatch.setattr(index_build, "CHUNK", 7)

    assert np.array_equal(index_over(*drawn).scores(["word1", "word2"]), whole)


def test_nothing_but_the_index_is_left_in_its_folder(tmp_path):
    IndexBuilder(tmp_path).finish()

    assert not list(tmp_path.glob("*.bin"))
    assert not (tmp_path / "weights.npy").exists()


@pytest.mark.parametrize("places", [1, 10, 999, 1001, 2500, 12_345])
def test_the_best_are_those_of_a_whole_sort(places):
    draw = np.random.default_rng(places)
    # Few values, so that many places tie; most share no word with the query.
    scores = np.maximum(draw.integers(-40, 20, places), 0).astype(np.float32)

    for count in (1, 10, 400):
        in_order = [place for place in np.argsort(-scores, kind="stable") if scores[place] > 0]
        assert best(scores, count).tolist() == in_order[:count]
