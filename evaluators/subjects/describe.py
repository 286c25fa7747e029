"""The FActScore of whole subject models by the evaluators of a dataset, no label needed (FActScore §4.3)."""

from collections.abc import Collection
from itertools import combinations

from annotate.corpus.reference_facts import reference_lists
from annotate.models import Dataset, Scheme
from core.errors import DataError
from evaluators.comparison.covered_responses import read_responses
from evaluators.comparison.recall import recall_of_run
from evaluators.methods.factscore_facts import JUDGED
from evaluators.models import Run
from evaluators.predictions.read import latest_runs
from evaluators.subjects.correct import correct_run
from evaluators.subjects.documents import EvaluatorSubjects, SubjectCorrelation, SubjectScores
from stats.bootstrap import Resampling
from stats.estimated_factscore import describe_subjects
from stats.f1_at_k import KChoice
from stats.prompt_subsets import describe_spread
from stats.ranks import pearson


def describe_dataset(
    dataset: Dataset, evaluators: Collection[str] | None = None, *, penalty: int | None = None, k: KChoice = None
) -> SubjectScores:
    """The document of `score_subjects` (docs/commands.md): plain JSON values, None where undefined.

    evaluators: the names of those wanted, None for every one with a finished run. penalty: γ of the length penalty,
    None without one. Raises DataError.
    """
    runs = find_runs(dataset, evaluators)
    described = [describe_run(run, penalty, k) for run in runs]
    return {
        "dataset": dataset.name,
        "length_penalty": penalty,
        "evaluators": described,
        "correlations": [correlate(one, other) for one, other in combinations(described, 2)],
    }


def find_runs(dataset: Dataset, evaluators: Collection[str] | None) -> list[Run]:
    """The last finished run of each evaluator that is wanted. Raises DataError where there is none."""
    if dataset.scheme != Scheme.FACTSCORE:
        raise DataError(f"{dataset.name} is a {dataset.scheme} dataset: only facts give a FActScore.")
    runs = latest_runs(dataset)
    missing = sorted(set(evaluators or ()) - {run.evaluator.name for run in runs})
    if missing:
        raise DataError(f"{dataset.name} has no finished run of an evaluator {missing[0]!r}.")
    return [run for run in runs if evaluators is None or run.evaluator.name in evaluators]


def describe_run(run: Run, penalty: int | None, k: KChoice = None) -> EvaluatorSubjects:
    """One evaluator's subjects, the best first; their recall; their spread over random subsets of the prompts; and,
    without a length penalty, the scores corrected by gold."""
    covered = read_responses(run)
    responses, resampling = covered.responses, Resampling(covered.strata)
    spread = describe_spread(
        responses.scores(penalty), responses.subject, covered.subjects, responses.prompt, covered.cells
    )
    return {
        "evaluator": run.evaluator.name,
        "run": run.pk,
        "facts": run.evaluator.parameters.get("facts", JUDGED),
        "seed": resampling.seed,
        "resamples": resampling.resamples,
        **describe_subjects(responses, covered.subjects, resampling, penalty),
        **recall_of_run(run, covered, k, reference_lists(run.dataset)),
        "spread": spread,
        "corrections": correct_run(run, responses) if penalty is None else None,
    }


def correlate(one: EvaluatorSubjects, other: EvaluatorSubjects) -> SubjectCorrelation:
    """Correlation of two described runs."""
    first, second = (
        {row["subject"]: row["estimated"] for row in each["subjects"] if row["estimated"] is not None}
        for each in (one, other)
    )
    subjects = sorted(name for name in first if name in second)
    r = pearson([first[name] for name in subjects], [second[name] for name in subjects])
    return {"evaluators": [one["evaluator"], other["evaluator"]], "subjects": len(subjects), "r": r}
