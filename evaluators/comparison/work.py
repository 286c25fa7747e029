"""Computing a large comparison in this process."""

from collections.abc import Callable
from uuid import uuid4

from django.db import Error as DatabaseFailure

from annotate.corpus.lines import DataError
from annotate.leased.leases import lease_next, renew_leases
from annotate.leased.settle import fail, finish
from annotate.models.leased import LeasedQuerySet
from evaluators.comparison.annotators import read_annotators
from evaluators.comparison.figures import STEPS, Question, compute_figures, read_question
from evaluators.comparison.keys import key_of
from evaluators.comparison.study import study_of
from evaluators.models import Comparison

READING = "reading gold and predictions"


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
        figures = _compute(leased, _noting(held, owner))
    except DataError as error:  # an evaluator it names is gone
        fail(held, leased.attempts + 1, str(error), final=True)
    except (MemoryError, DatabaseFailure) as error:
        fail(held, leased.attempts + 1, str(error) or "There is not enough memory.", final=False)
    else:
        if key_of(leased.dataset, leased.version, read_question(leased.question)) == leased.key:
            finish(held, figures=figures, done=len(STEPS) + 1)
        else:
            held.delete()


def _compute(leased: Comparison, note: Callable[[str], None]) -> dict[str, object]:
    question: Question = read_question(leased.question)
    note(READING)
    study = study_of(leased.dataset, leased.version, question.evaluators)
    return compute_figures(study, read_annotators(leased.dataset, study.table), question, note)


def _noting(held: LeasedQuerySet[Comparison], owner: str) -> Callable[[str], None]:
    """Shows each step as it begins; the lease begins anew with it."""
    steps = (READING, *STEPS)

    def note(step: str) -> None:
        held.update(step=step, done=steps.index(step), steps=len(steps))
        renew_leases(Comparison.objects.all(), owner)

    return note
