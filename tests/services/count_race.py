"""A process of its own for test_counts: two people work while two others read the numbers of cases, all at random.

    python -m tests.services.count_race ROUNDS

After each round the kept numbers are compared with those of the cases read anew. Prints how many different numbers
there were.
"""

import sys
from contextlib import suppress

import django

django.setup()

from django.db import IntegrityError, transaction  # noqa: E402

from annotate.cases.counts import count_cases  # noqa: E402
from annotate.cases.triggers import are_there  # noqa: E402
from tests.annotate.cases.random_work import Work, check  # noqa: E402
from tests.services.race import race  # noqa: E402


def main(rounds: int) -> None:
    works = [Work("felm", 1), Work("factscore", 2)]
    met = set()

    def compare() -> None:
        met.update(check(work.dataset) for work in works)

    def step(number: int) -> None:
        for work in works:
            # Two people may want the same place, or the last revision of the same label.
            with suppress(IntegrityError), transaction.atomic():
                works_of[number][work.dataset.scheme].any_step()

    works_of = [{work.dataset.scheme: work.with_seed(number) for work in works} for number in range(2)]

    def read() -> None:
        for work in works:
            count_cases(work.dataset)

    race(rounds, compare, lambda: step(0), lambda: step(1), read, read)
    compare()
    print(len(met))


if __name__ == "__main__":
    from django.db import connection

    assert are_there(connection)
    main(int(sys.argv[1]))
