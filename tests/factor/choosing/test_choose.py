"""Which three of the candidates that passed become false completions."""

from factor.choosing.choose import choose


def test_three_types_give_one_each() -> None:
    types = ["entity", "entity", "predicate", "link", "entity"]
    for seed in "abcdefgh":
        assert sorted(types[place] for place in choose(types, seed)) == ["entity", "link", "predicate"]


def test_types_already_used_fill_up() -> None:
    types = ["entity", "entity", "entity", "link"]
    for seed in "abcdefgh":
        chosen = choose(types, seed)
        assert len(set(chosen)) == 3
        assert sorted(types[place] for place in chosen) == ["entity", "entity", "link"]


def test_of_five_types_three_are_drawn_and_each_can_be() -> None:
    types = ["entity", "predicate", "circumstance", "coreference", "link"]
    assert {types[place] for seed in range(30) for place in choose(types, str(seed))} == set(types)


def test_the_same_seed_chooses_the_same() -> None:
    types = ["entity"] * 9
    assert choose(types, "7/lowe") == choose(types, "7/lowe")


def test_fewer_than_three_are_none() -> None:
    assert choose(["entity", "link"], "7") == []
