"""What a process of its own does with jobs of a kind (tests/jobs/kinds.py)."""

import resource

from jobs.enqueue import enqueue_key
from jobs.kinds import KINDS
from jobs.work import work_to_the_end
from tests.jobs.kinds import EXAMPLES


def make(name: str, items: int) -> int:
    """The key of a new job of that kind."""
    made, kind = EXAMPLES[name].make(items), KINDS[name]
    rows = type(made)._default_manager.filter(pk=made.pk)
    return rows.values_list("pk" if kind.job else kind.key, flat=True).get()


def enqueue(name: str, key: int) -> bool:
    """Whether the queue was within reach."""
    return enqueue_key(KINDS[name](), key)


def results(name: str) -> int:
    """How many results of the kind there are."""
    return EXAMPLES[name].results()


def work(name: str, key: int, largest_file: int | None) -> None:
    """Work on it to its end, where no file can be written beyond so many bytes."""
    if largest_file is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))
    work_to_the_end(KINDS[name](), key)
