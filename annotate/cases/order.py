"""The order in which an adjudicator reads what annotators said: drawn, so that it tells nothing of who said what."""

import random
from collections.abc import Iterable
from typing import TypeVar

Said = TypeVar("Said")


def as_heard(said: Iterable[Said], segment: int, fact: int | None) -> list[Said]:
    """What stands in order of place, in the order of the sides of that address (primary keys)."""
    return _drawn(said, f"{segment}.{fact or ''}")


def as_reviewed(said: Iterable[Said], response: int) -> list[Said]:
    """What stands in order of place, in the order in which that response (its primary key) is reviewed."""
    return _drawn(said, f"response {response}")


def as_commented(said: Iterable[Said], task: int) -> list[Said]:
    """What stands in order of place, in the order of the comments on that task (its primary key)."""
    return _drawn(said, f"task {task}")


def _drawn(said: Iterable[Said], seed: str) -> list[Said]:
    """The same at every look: once and for all by the seed."""
    order = list(said)
    random.Random(seed).shuffle(order)  # noqa: S311 - an order, no secret
    return order
