"""The name of a comparison: all that its figures are made of, so that it is another as soon as any of it changes."""

import hashlib

from annotate.models import Dataset, GoldVersion
from evaluators.comparison.human import labels_state
from evaluators.comparison.judges import TRIVIAL
from evaluators.comparison.question import Question
from evaluators.comparison.study import gold_state, run_state
from evaluators.models import Run
from evaluators.predictions.read import latest_runs


def key_of(dataset: Dataset, version: GoldVersion | None, question: Question) -> str:
    """The question, gold, the annotators' labels, and each run that is asked for."""
    said = [(run.evaluator.name, run_state(run)) for run in runs_asked_for(dataset, question)]
    named = dataset.name, version.name if version else None
    made_of = [named, gold_state(dataset, version), labels_state(dataset), question, *said]
    return f"comparison-{hashlib.sha256(repr(made_of).encode()).hexdigest()}"


def runs_asked_for(dataset: Dataset, question: Question) -> list[Run]:
    names = question.evaluators
    return [
        run
        for run in latest_runs(dataset)
        if names is None or run.evaluator.name in names or run.evaluator.method in TRIVIAL
    ]
