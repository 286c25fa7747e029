"""A process of its own that makes, enqueues or works on jobs of a kind (tests/jobs/kinds.py).

Each line of its input is a command, answered by a line of output:

make KIND ITEMS       the key of a new job
enqueue KIND KEY      True, or False where the queue is out of reach
work KIND KEY         works on it to its end; None
results KIND          the number of results
"""

import sys

import django

django.setup()

from django.db import connections  # noqa: E402

from jobs.enqueue import enqueue_key  # noqa: E402
from jobs.kinds import KINDS  # noqa: E402
from jobs.work import work_to_the_end  # noqa: E402
from tests.jobs.kinds import EXAMPLES  # noqa: E402


def main(verb: str, name: str, number: int = 0) -> object:
    kind, example = KINDS[name](), EXAMPLES[name]
    match verb:
        case "make":
            made = example.make(number)
            rows = type(made)._default_manager.filter(pk=made.pk)
            return rows.values_list("pk" if kind.job else kind.key, flat=True).get()
        case "enqueue":
            return enqueue_key(kind, number)
        case "work":
            return work_to_the_end(kind, number)
        case _:
            return example.results()


if __name__ == "__main__":
    for line in sys.stdin:
        verb, name, *numbers = line.split()
        print(main(verb, name, *map(int, numbers)), flush=True)
        connections.close_all()
