"""Which documents are taken: by a seed, so that the same ones are drawn again."""

import hashlib
from collections.abc import Iterable
from heapq import nsmallest
from operator import itemgetter
from typing import TypeVar

Thing = TypeVar("Thing")


def drawn(keyed: Iterable[tuple[str, Thing]], count: int, seed: int) -> list[Thing]:
    """So many of the things (all, where there are fewer), each given with its key, in the order of the draw.

    The order is that of a hash of seed and key and does not depend on the other keys: a larger draw of the same seed
    begins with the smaller one.
    """
    places = ((hashlib.sha256(f"{seed}/{key}".encode()).digest(), thing) for key, thing in keyed)
    return [thing for _, thing in nsmallest(count, places, key=itemgetter(0))]
