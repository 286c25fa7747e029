"""A process of its own for test_ratings: of every kind, three rate at once what wants one or two. Prints each kind with
its number of rounds, and the fewest and the most ratings that an item got."""

import sys
from contextlib import suppress
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402

from ratings.errors import FullError  # noqa: E402
from tests.factories import make_person  # noqa: E402
from tests.ratings.kinds import KINDS, Kind  # noqa: E402
from tests.services.race import race  # noqa: E402


def rated(kind: Kind, rounds: int) -> list[int]:
    """The number of ratings of the item after each round, which begins without one."""
    people = [make_person(name) for name in ("ada", "ben", "cleo")]
    item = kind.make(kind.raters)
    numbers: list[int] = []

    def prepare() -> None:
        count = item.ratings.count()
        if count:
            numbers.append(count)
        item.ratings.all().delete()

    def rate(person: Any) -> None:
        with suppress(FullError):
            kind.rate(item, person)

    race(rounds, prepare, *(lambda person=person: rate(person) for person in people))  # type: ignore[misc]
    return [*numbers, item.ratings.count()]


if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    for name, kind in KINDS.items():
        numbers = rated(kind, int(sys.argv[1]))
        print(name, len(numbers), min(numbers) == max(numbers) == kind.raters)
