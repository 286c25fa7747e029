"""A process of its own for test_ratings: of every kind, people rate one item at once, none or all but one place taken.

Prints each kind with the number of rounds, and whether the item had all ratings and no more after each of them."""

import sys
from contextlib import suppress
from typing import Any

import django

django.setup()


from ratings.errors import FullError  # noqa: E402
from tests.factories import make_person  # noqa: E402
from tests.ratings.kinds import KINDS, Kind  # noqa: E402
from tests.services.race import race  # noqa: E402


def rated(kind: Kind, rounds: int) -> list[int]:
    """The number of ratings of the item after each round: first three people race, then two for the last place."""
    people = [make_person(name) for name in ("ada", "ben", "cleo")]
    item = kind.make(kind.raters)
    numbers: list[int] = []

    def rate(person: Any) -> None:
        with suppress(FullError):
            kind.rate(item, person)

    def of_rounds(before: list[Any], racing: list[Any]) -> None:
        def prepare() -> None:
            numbers.append(item.ratings.count())
            item.ratings.all().delete()
            for person in before:
                rate(person)

        race(rounds, prepare, *(lambda person=person: rate(person) for person in racing))  # type: ignore[misc]

    of_rounds([], people)
    of_rounds(people[: kind.raters - 1], people[kind.raters - 1 :])
    return [*numbers[1:], item.ratings.count()]


if __name__ == "__main__":
    for name, kind in KINDS.items():
        numbers = rated(kind, int(sys.argv[1]))
        print(name, len(numbers), min(numbers) == max(numbers) == kind.raters)
