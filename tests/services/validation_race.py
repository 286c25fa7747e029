"""A process of its own for test_validations: two rate at once where one place is left. Prints what came of it."""

import sys
from contextlib import suppress

import django

django.setup()

from django.core.management import call_command  # noqa: E402

from annotate.models import User  # noqa: E402
from factor.models import CompletionRating, Validation, ValidationItem  # noqa: E402
from ratings.errors import FullError  # noqa: E402
from ratings.rate import rate  # noqa: E402
from tests.factor.validation.work import GOOD, draw, make_benchmark  # noqa: E402
from tests.factories import make_dataset, make_person  # noqa: E402
from tests.services.race import race  # noqa: E402


def raters(rounds: int) -> None:
    """Cleo has rated a completion that wants two; Ada and Ben rate it at the same instant."""
    benchmark = make_benchmark(make_dataset("raters"), false=1)
    ada, ben, cleo = (make_person(name) for name in ("ada", "ben", "cleo"))
    at_stake: list[ValidationItem] = []

    def prepare() -> None:
        at_stake[:] = draw(benchmark).items.all()
        rate(at_stake[0], cleo, GOOD)

    def say(person: User) -> None:
        with suppress(FullError):
            rate(at_stake[0], person, GOOD)

    race(rounds, prepare, lambda: say(ada), lambda: say(ben))


if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    raters(int(sys.argv[1]))
    print(Validation.objects.count(), CompletionRating.objects.count())
