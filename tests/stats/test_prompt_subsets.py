"""Random subsets of prompts, stratified over cells."""

import numpy as np
import pytest

from stats.prompt_subsets import describe_spread, draw_subsets

CELLS = np.repeat(np.arange(20), [10] * 12 + [9] * 7 + [0])


def test_a_subset_is_even_over_the_cells():
    cells = np.repeat(np.arange(20), 9)
    chosen = draw_subsets(cells, 40, draws=30)
    assert chosen.shape == (30, 180)
    counts = np.stack([np.bincount(cells[subset], minlength=20) for subset in chosen])
    assert (counts == 2).all()


def test_what_is_over_goes_to_cells_by_chance_and_small_cells_give_all_they_have():
    cells = np.array([0] + [1] * 6 + [2] * 6)
    counts = np.stack([np.bincount(cells[subset]) for subset in draw_subsets(cells, 8, draws=60)])
    assert (counts.sum(axis=1) == 8).all()
    assert (counts[:, 0] == 1).all()
    assert {tuple(row) for row in counts[:, 1:].tolist()} == {(3, 4), (4, 3)}


def test_each_prompt_of_a_cell_is_as_likely_as_the_others():
    chosen = draw_subsets(np.repeat(np.arange(4), 5), 8, draws=2_000)
    assert chosen.mean(axis=0) == pytest.approx(np.full(20, 2 / 5), abs=0.05)


def test_the_same_seed_draws_the_same_subsets():
    assert (draw_subsets(CELLS, 40) == draw_subsets(CELLS, 40)).all()
    assert (draw_subsets(CELLS, 40) != draw_subsets(CELLS, 40, seed=1)).any()


def test_mean_and_deviation_are_those_of_the_drawn_scores():
    # Four prompts in one cell, two a subset; Ada scores 0 or 1, Ben abstains from all but the first.
    scores = np.array([0.0, 0.0, 1.0, 1.0, 0.5, np.nan, np.nan, np.nan])
    subject, prompt = np.repeat([0, 1], 4), np.tile(np.arange(4), 2)
    [size] = describe_spread(scores, subject, ["Ada", "Ben"], prompt, np.zeros(4, dtype=np.int64), [2], draws=400)
    chosen = draw_subsets(np.zeros(4, dtype=np.int64), 2, draws=400)
    means = (chosen * scores[:4]).sum(axis=1) / 2
    ada, ben = size["subjects"]
    assert (ada["mean"], ada["deviation"]) == pytest.approx((means.mean(), means.std(ddof=1)))
    # Of all six pairs the mean is 1/2 and the variance (0 + 0 + 4 · 0 + ... ) = 1/12: two differ by 1/2 from it.
    assert (ada["mean"], ada["deviation"]) == pytest.approx((1 / 2, np.sqrt(1 / 12)), abs=0.03)
    assert (ben["mean"], ben["deviation"]) == (0.5, 0.0)


def test_the_ranking_is_kept_where_it_never_turns():
    scores = np.concatenate([np.full(10, 0.9), np.full(10, 0.1)])
    subject, prompt, cells = np.repeat([0, 1], 10), np.tile(np.arange(10), 2), np.zeros(10, dtype=np.int64)
    [size] = describe_spread(scores, subject, ["Ada", "Ben"], prompt, cells, [4])
    assert size["ranking_kept"] == 1.0
    alone = describe_spread(scores[:10], subject[:10], ["Ada"], prompt[:10], cells, [4])
    assert alone[0]["ranking_kept"] is None


def test_more_prompts_than_there_are_is_undefined_and_says_so():
    cells = np.zeros(3, dtype=np.int64)
    [size] = describe_spread(np.ones(3), np.zeros(3, dtype=np.int64), ["Ada"], np.arange(3), cells, [40])
    assert size["subjects"] == []
    assert size["undefined"] == "it takes 40 prompts, and there are 3"
