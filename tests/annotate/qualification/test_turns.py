"""When a control comes."""

import itertools

from annotate.qualification.turns import is_control_turn


def controls(share: float, turns: int, seed: str = "1/1") -> list[int]:
    return [turn for turn in range(turns) if is_control_turn(turn, share, seed)]


def test_every_stretch_of_turns_has_exactly_one():
    turns = controls(0.1, 1000)
    assert [turn // 10 for turn in turns] == list(range(100))


def test_a_share_that_does_not_divide_one_is_met_too():
    assert len(controls(0.3, 1000)) == 300


def test_gaps_between_controls_vary():
    turns = controls(0.1, 1000)
    gaps = {after - before for before, after in itertools.pairwise(turns)}
    assert len(gaps) > 5


def test_the_same_annotator_meets_them_at_the_same_turns_and_another_at_others():
    assert controls(0.1, 200) == controls(0.1, 200)
    assert controls(0.1, 200) != controls(0.1, 200, seed="1/2")


def test_no_share_is_no_control():
    assert controls(0.0, 100) == []
