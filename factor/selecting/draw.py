"""Which documents are taken: by a seed, so that the same ones are drawn again."""

import hashlib
from collections.abc import Iterable
from heapq import nsmallest


def drawn(keys: Iterable[str], count: int, seed: int) -> list[str]:
    """So many of the keys (all, where there are fewer), in the order of the draw.

    The order is that of a hash of seed and key: it does not depend on what other keys there are, so a larger draw of
    the same seed begins with the smaller one.
    """
    return nsmallest(count, keys, key=lambda key: hashlib.sha256(f"{seed}/{key}".encode()).digest())
