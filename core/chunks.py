"""Long sequences in pieces that fit into memory."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import TypeVar

Item = TypeVar("Item")


def in_chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """The items in lists of so many, the last shorter."""
    remaining = iter(items)
    while chunk := list(islice(remaining, size)):
        yield chunk


def begun(items: Iterable[Item]) -> Iterator[Item]:
    """The items, the first of them made at once: what is wrong with the whole is raised here, and not in the middle of
    an answer that has begun."""
    remaining = iter(items)
    return chain(list(islice(remaining, 1)), remaining)
