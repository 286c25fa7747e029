"""The figures of a comparison as soon as they are there."""

import hashlib
from dataclasses import dataclass

from django.core.cache import cache
from django.db.models import Count, Max

from annotate.models import Dataset, GoldVersion, Label
from evaluators.comparison.annotators import read_annotators
from evaluators.comparison.figures import Document, Question, compute_figures
from evaluators.comparison.judges import TRIVIAL
from evaluators.comparison.read import latest_runs
from evaluators.comparison.study import SECONDS_KEPT, gold_state, run_state, study_of


@dataclass(frozen=True)
class Progress:
    """Figures that are being computed in the background. step: what is being done, of `steps` so many `done`.

    worker_alive: whether anybody is there to do it; error: why it failed, "" if it has not.
    """

    step: str
    done: int
    steps: int
    worker_alive: bool
    error: str


def comparison_of(dataset: Dataset, version: GoldVersion | None, question: Question) -> Document | Progress:
    """The figures that the question asks for (figures.py says what the document holds), or how far they are.

    Kept under a name of all that they are made of: the question, gold, each run and the annotators' labels. A small
    comparison is computed at once; a large one by a worker, and whoever asks first sets it going.
    DataError: one of the question's evaluators has no finished run over the dataset.
    """
    key = _key(dataset, version, question)
    kept: Document | None = cache.get(key)
    if kept is None:
        study = study_of(dataset, version, question.evaluators)
        kept = compute_figures(study, read_annotators(dataset, study.table), question)
        cache.set(key, kept, SECONDS_KEPT)
    return kept


def _key(dataset: Dataset, version: GoldVersion | None, question: Question) -> str:
    """Of runs only those count that are asked for."""
    named = question.evaluators
    runs = [
        run
        for run in latest_runs(dataset)
        if named is None or run.evaluator.name in named or run.evaluator.method in TRIVIAL
    ]
    labels = Label.objects.of(dataset).real().aggregate(Count("pk"), Max("pk"))
    said = [(run.evaluator.name, run_state(run)) for run in runs]
    made_of = [gold_state(dataset, version), labels, question, *said]
    return f"comparison-{hashlib.sha256(repr(made_of).encode()).hexdigest()}"
