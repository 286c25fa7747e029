"""Which documents are drawn."""

from factor.selecting.draw import drawn

KEYS = [(f"document {number}", number) for number in range(50)]


def test_the_same_seed_draws_the_same_in_whatever_order_they_come() -> None:
    assert drawn(KEYS, 10, 7) == drawn(reversed(KEYS), 10, 7)


def test_another_seed_draws_others() -> None:
    assert drawn(KEYS, 10, 7) != drawn(KEYS, 10, 8)


def test_a_larger_draw_begins_with_the_smaller() -> None:
    assert drawn(KEYS, 20, 7)[:10] == drawn(KEYS, 10, 7)


def test_all_are_drawn_where_there_are_fewer_than_wanted() -> None:
    assert sorted(drawn(KEYS, 80, 7)) == list(range(50))
