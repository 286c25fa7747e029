"""The three trivial baselines (definitions.md §2): what a judge that knows nothing says."""

import hashlib

SUPPORTED = "supported"
NOT_SUPPORTED = "not_supported"
RANDOM_SEED = 20231


def random_value(seed: int, index: str, segment: int, fact: int | None) -> str:
    """The seeded draw of the random baseline at an address, an error with P = 0.5.

    The draw depends on the address alone, so it is the same in whatever order or part a data set is judged.
    """
    address = f"{seed}\x1f{index}\x1f{segment}\x1f{'' if fact is None else fact}"
    return NOT_SUPPORTED if hashlib.sha256(address.encode()).digest()[0] & 1 else SUPPORTED
