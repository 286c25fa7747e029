"""When a hidden control comes: no pattern to be found out, yet the same on every replay."""

from fractions import Fraction
from hashlib import sha256
from math import ceil, floor


def is_control_turn(turn: int, share: float, seed: str) -> bool:
    """Whether the piece of work with this number (from 0) is to be a control.

    `share` (0 ≤ share < 1) of all turns are: the turns are cut into stretches of 1/share, and in each of them `seed`
    draws the one that is a control. So neither the number nor the gap between two controls betrays them.
    """
    exact = _exact(share)
    return bool(exact) and turn == _control_of(floor(turn * exact), exact, seed)


def controls_among(work: int, turn: int, left: int, share: float, seed: str) -> int:
    """How many controls come before the last of so many pieces of other work, from that turn on.

    `left`: the number of controls that there are. One that is missing at its turn is left out.
    """
    exact = _exact(share)
    if not exact:
        return 0
    before, coming = _controls_before(turn, exact, seed), 0
    while True:
        among = min(left, _controls_before(turn + work + coming, exact, seed) - before)
        if among == coming:
            return coming
        coming = among


def _exact(share: float) -> Fraction:
    return Fraction(share).limit_denominator(10_000)


def _controls_before(turn: int, exact: Fraction, seed: str) -> int:
    stretch = floor(turn * exact)
    return stretch + (turn > _control_of(stretch, exact, seed))


def _control_of(stretch: int, exact: Fraction, seed: str) -> int:
    """The turn of the stretch that is a control."""
    first, end = ceil(stretch / exact), ceil((stretch + 1) / exact)
    return first + draw(f"{seed}/{stretch}") % (end - first)


def draw(seed: str) -> int:
    """A large number that depends on nothing but the seed."""
    return int.from_bytes(sha256(seed.encode()).digest()[:8])
