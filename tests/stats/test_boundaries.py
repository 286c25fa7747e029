"""What is judged, told apart from how."""

import numpy as np
import pytest

from annotate.agreement.splits import Kind, SplitSide, split_units
from stats.boundaries import describe_boundaries, describe_scope
from tests.stats.exact import exact

ONE_STRATUM = np.zeros(2, dtype=np.int64)


def test_splits_and_merges_are_shares_of_the_sentences_counted():
    human, model = np.array([3, 1, 2, 0, 5]), np.array([2, 2, 2, 3, 1])
    counted = np.array([True, True, True, False, True])
    found = describe_boundaries(human, model, counted, np.array([0, 0, 1, 1, 1]), ONE_STRATUM)
    assert (found["n"], found["split"]["share"], found["merged"]["share"]) == (4, 0.5, 0.25)
    assert found["split"]["interval"] is None


def test_the_interval_of_a_split_is_that_of_as_many_prompts():
    human, model = np.array([3, 1] * 12), np.array([2, 2] * 12)
    prompt, everything = np.arange(24) // 2, np.ones(24, dtype=bool)
    # Of every two sentences of a prompt one is split, and no draw of prompts changes that: each prompt is one draw.
    found = describe_boundaries(human, model, everything, prompt, np.zeros(12, dtype=np.int64))
    assert found["split"]["interval"] == pytest.approx(exact(0.5, 12, 12))


def test_without_a_sentence_to_count_the_share_is_undefined_and_says_why():
    nothing = np.zeros(0, dtype=np.int64)
    found = describe_boundaries(nothing, nothing, nothing.astype(bool), nothing, ONE_STRATUM)
    assert found["split"]["share"] is None
    assert "no relevant sentence" in found["split"]["undefined"]


def test_scope_is_in_dispute_where_one_judges_the_facts_of_what_another_calls_irrelevant():
    said = {
        (1, None): {"ada": 2},
        (1, 10): {"ben": 0},
        (2, None): {"ada": 2, "ben": 2},
        (3, 30): {"ada": 0, "ben": 1},
        (4, 40): {"ada": 0},
    }
    found = describe_scope(said, np.array([1, 2, 3, 4]), np.array([0, 0, 1, 1]), ONE_STRATUM)
    # Both judged the first three; they differ in scope on one.
    assert (found["n"], found["disputed"], found["share"]) == (3, 1, pytest.approx(1 / 3))


def test_units_that_split_people_by_what_they_differ_in():
    said = {
        (1, None): {"ada": 0, "ben": 1},
        (2, None): {"ada": 1, "ben": 2},
        (3, None): {"ada": 1, "ben": 1, "cleo": 1},
        (4, None): {"ada": 0, "ben": 0},
        (5, None): {"ada": 2},
        (5, 50): {"ben": 0},
    }
    types = {(3, None): {"ada": "knowledge", "ben": "reasoning"}}
    found = {split.segment: split for split in split_units(said, types)}
    assert {segment: split.kind for segment, split in found.items()} == {
        1: Kind.ERROR,
        2: Kind.VALUE,
        3: Kind.TYPE,
        5: Kind.SCOPE,
    }
    assert found[5].sides == (SplitSide("ada", "irrelevant", ""), SplitSide("ben", "", ""))
    assert found[3].between("ada", "ben")
    # Cleo gave the error no type, which is no other type.
    assert not found[3].between("ada", "cleo")
    assert found[1].between("ada", "") and not found[1].between("cleo", "")
