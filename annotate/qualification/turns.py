"""When a hidden control comes: no pattern to be found out, yet the same on every replay."""

from fractions import Fraction
from hashlib import sha256
from math import ceil, floor


def is_control_turn(turn: int, share: float, seed: str) -> bool:
    """Whether the piece of work with this number (from 0) is to be a control.

    `share` (0 ≤ share < 1) of all turns are: the turns are cut into stretches of 1/share, and in each of them `seed`
    draws the one that is a control. So neither the number nor the gap between two controls betrays them.
    """
    exact = Fraction(share).limit_denominator(10_000)
    if not exact:
        return False
    stretch = floor(turn * exact)
    first, end = ceil(stretch / exact), ceil((stretch + 1) / exact)
    return turn == first + draw(f"{seed}/{stretch}") % (end - first)


def draw(seed: str) -> int:
    """A large number that depends on nothing but the seed."""
    return int.from_bytes(sha256(seed.encode()).digest()[:8])
