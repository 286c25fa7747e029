"""Draws are random, repeatable, and refuse what cannot be."""

from collections import Counter

import pytest

from ratings.draw import allocate, check_draw, draw, draw_by_kind
from ratings.errors import DrawError

THINGS = list(range(40))
KINDS = [("a", "b", "b", "c")[thing % 4] for thing in THINGS]


def test_the_same_seed_draws_the_same_and_nothing_twice():
    assert draw(THINGS, 10, 7) == draw(THINGS, 10, 7) != draw(THINGS, 10, 8)
    assert len(set(draw(THINGS, 40, 7))) == 40


def test_each_kind_is_drawn_in_its_share_in_mixed_order():
    drawn = draw_by_kind(THINGS, KINDS, THINGS, 20, 7)
    kinds = [KINDS[thing] for thing in drawn]
    assert Counter(kinds) == {"a": 5, "b": 10, "c": 5}
    assert kinds != sorted(kinds)
    assert drawn == draw_by_kind(THINGS, KINDS, THINGS, 20, 7)


def test_no_second_one_of_a_group_is_drawn_while_there_are_others():
    groups = [thing // 2 for thing in THINGS]
    drawn = draw_by_kind(THINGS, ["a"] * 40, groups, 20, 7)
    assert len({groups[thing] for thing in drawn}) == 20
    assert len(set(draw_by_kind(THINGS, ["a"] * 40, groups, 30, 7))) == 30


@pytest.mark.parametrize("size", range(1, 11))
def test_shares_add_up_to_the_size(size):
    assert sum(allocate({"a": 5, "b": 1, "c": 4}, size).values()) == size


@pytest.mark.parametrize(
    ("size", "population", "raters", "why"),
    [
        (3, 2, 1, "draw 1 to 2 of the units, not 3"),
        (0, 2, 1, "not 0"),
        (1, 0, 1, "there is no unit"),
        (1, 2, 21, "rated by 1 to 20 people, not 21"),
        (1, 2, 0, "rated by 1 to 20 people, not 0"),
    ],
)
def test_what_cannot_be_drawn_says_why(size, population, raters, why):
    with pytest.raises(DrawError, match=why):
        check_draw(size, population, "the units", "there is no unit", raters)
