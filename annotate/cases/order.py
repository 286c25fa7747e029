"""The order of annotators' entries for an adjudicator: drawn, so that it tells nothing of their authors."""

import random
from collections.abc import Iterable
from typing import TypeVar

Entry = TypeVar("Entry")


def in_case_order(entries: Iterable[Entry], segment: int, fact: int | None) -> list[Entry]:
    """Entries in order of place, put in the order of the sides of that address (primary keys)."""
    return _drawn(entries, f"{segment}.{fact or ''}")


def in_review_order(entries: Iterable[Entry], response: int) -> list[Entry]:
    """Entries in order of place, put in the order of that response's review (primary key)."""
    return _drawn(entries, f"response {response}")


def in_comment_order(entries: Iterable[Entry], task: int) -> list[Entry]:
    """Entries in order of place, put in the order of the comments on that task (primary key)."""
    return _drawn(entries, f"task {task}")


def _drawn(entries: Iterable[Entry], seed: str) -> list[Entry]:
    """The same at every look: once and for all by the seed."""
    order = list(entries)
    random.Random(seed).shuffle(order)  # noqa: S311 - an order, no secret
    return order
