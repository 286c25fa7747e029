"""Computing a large comparison in this process."""

from collections.abc import Callable
from uuid import uuid4

from django.db import Error as DatabaseFailure

from annotate.leased.leases import lease_next, renew_leases
from annotate.leased.settle import fail, finish
from annotate.models.leased import LeasedQuerySet
from core.errors import DataError
from evaluators.comparison.figures import STEPS, compare
from evaluators.comparison.question import key_of, read_question
from evaluators.models import Comparison


def work_on(comparison: int) -> None:
    """Compute it (its primary key), unless somebody does or has.

    Gold or a run may have changed since it was asked for: then the answer is to another question, and the row goes.
    Whoever asks again asks under another key.
    """
    owner = uuid4().hex
    leased = lease_next(Comparison.objects.waiting().filter(pk=comparison), owner)
    if leased is None:
        return
    held = Comparison.objects.held_by(owner)
    try:
        question = read_question(leased.question)
        figures = compare(leased.dataset, leased.version, question, _noting(held, owner))
    except DataError as error:  # an evaluator it names is gone
        fail(held, leased.attempts + 1, str(error), final=True)
    except (MemoryError, DatabaseFailure) as error:
        fail(held, leased.attempts + 1, str(error) or "There is not enough memory.", final=False)
    else:
        if key_of(leased.dataset, leased.version, question) == leased.key:
            finish(held, figures=figures, done=len(STEPS))
        else:
            held.delete()


def _noting(held: LeasedQuerySet[Comparison], owner: str) -> Callable[[str], None]:
    """Shows each step as it begins; the lease begins anew with it."""

    def note(step: str) -> None:
        held.update(step=step, done=STEPS.index(step), steps=len(STEPS))
        renew_leases(Comparison.objects.all(), owner)

    return note
