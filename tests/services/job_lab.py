"""A process of its own that makes, enqueues or works on a job of a kind (tests/jobs/kinds.py). Prints what it is asked.

python -m tests.services.job_lab make KIND ITEMS       the key of a new job
python -m tests.services.job_lab enqueue KIND KEY      True, or False where the queue is out of reach
python -m tests.services.job_lab work KIND KEY         works on it to its end
python -m tests.services.job_lab results KIND          how many results there are
"""

import sys

import django

django.setup()

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
    print(main(sys.argv[1], sys.argv[2], *(int(word) for word in sys.argv[3:])))
