"""Long sequences in pieces that fit into memory."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")


def in_chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """The items in lists of so many, the last shorter."""
    remaining = iter(items)
    while chunk := list(islice(remaining, size)):
        yield chunk
