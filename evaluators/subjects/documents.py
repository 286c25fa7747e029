"""The document of `score_subjects`, and the rows of the pages of subject models.

The keys of SubjectScores are the JSON keys of docs/commands.md; None is undefined.
"""

from typing import TypedDict

from evaluators.comparison.documents import RecallEstimation, SubjectsMean
from stats.corrected_factscore import Corrections
from stats.estimated_factscore import SubjectEstimates
from stats.f1_at_k import AtK
from stats.factscore_estimation import EstimationRow
from stats.factscore_groups import GroupShare
from stats.prompt_subsets import Spread
from stats.reference_recall import ReferenceRecall


class EvaluatorSubjects(SubjectEstimates, RecallEstimation):
    """Subjects by one evaluator, the best first. corrections: None without gold, and with a length penalty."""

    evaluator: str
    run: int
    facts: str
    seed: int
    resamples: int
    spread: list[Spread]
    corrections: Corrections | None


class SubjectCorrelation(TypedDict):
    """Pearson's r of two evaluators over the subjects that both score, and the number of these subjects.

    r: None below three of them, or where either evaluator gives all the same score.
    """

    evaluators: list[str]
    subjects: int
    r: float | None


class SubjectScores(TypedDict):
    """length_penalty: in facts; None without one."""

    dataset: str
    length_penalty: int | None
    evaluators: list[EvaluatorSubjects]
    correlations: list[SubjectCorrelation]


class MeasuredSubject(TypedDict):
    """A subject in the document of `dataset_stats`, as far as the pages read it. factscore: None without gold."""

    subject: str
    factscore: float | None
    factscore_interval: list[float] | None
    precision: dict[str, list[GroupShare]]
    citations: dict[str, list[GroupShare]]


class CommonScores(TypedDict):
    """Scores by subject over the n prompts that all of them responded to."""

    n: int
    factscore: dict[str, float | None]


class SubjectStats(TypedDict):
    """The document of `dataset_stats`, as far as the pages read it."""

    subjects: list[MeasuredSubject]
    common_prompts: CommonScores
    at_k: AtK | None
    at_k_undefined: str | None
    reference: ReferenceRecall | None


class GroupRow(TypedDict):
    """Share of a group in a subject's responses, with the ends of its interval; n: facts, sentences or responses."""

    name: str
    subject: str
    share: float | None
    low: float | None
    high: float | None
    n: int


class EstimateRow(EstimationRow):
    """A subject's estimated score by an evaluator, beside its error detection on the subject's human facts."""

    evaluator: str
    facts: str | None
    baseline: bool
    ranking_kept: bool | None
    ranking_kept_probability: float | None
    n: int | None
    predicted: float | None
    unparsed: float | None
    missing: float | None
    coverage: float | None
    f1: float | None
    f1_interval: list[float] | None
    f1_bounds: list[float] | None
    undefined: dict[str, str] | None


class MeanEstimate(SubjectsMean):
    """An evaluator over all subjects: plain means of its rows. subjects: how many it has an estimate of, out of `of`.
    The means are None where a subject lacks the figure, so that all means are over the same subjects."""

    evaluator: str
    facts: str | None
    baseline: bool
    unranked: str | None
    subjects: int
    of: int


class ContraryPair(TypedDict):
    """An evaluator with the better F1micro, and another with the better error rate, on one subject."""

    subject: str
    finds: str
    finds_f1: float
    finds_error_rate: float
    nearer: str
    nearer_f1: float
    nearer_error_rate: float
    finds_baseline: bool
    nearer_baseline: bool
