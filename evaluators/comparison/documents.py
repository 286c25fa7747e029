"""The documents of `report`, `compare` and `detectable`: their keys are the JSON keys of docs/commands.md.

Values are plain JSON; None is undefined or unknown.
"""

from typing import NotRequired, TypedDict

from evaluators.predictions.prices import RunSpending
from stats.detection import DetectionRow
from stats.extraction import Extraction
from stats.f1_at_k import AtK
from stats.factscore_estimation import EstimationRow, MeanEstimation
from stats.reference_recall import ReferenceRecall
from stats.run_noise import RunNoise


class RecallEstimation(TypedDict):
    """Recall of the subjects by one evaluator. at_k_undefined: why there is no F1@K, None where there is. reference:
    None where no prompt has a list of facts."""

    at_k: AtK | None
    at_k_undefined: str | None
    reference: ReferenceRecall | None


class SubjectsMean(MeanEstimation):
    """Plain means over all subjects, also of F1micro on human facts."""

    f1: float | None
    f1_interval: list[float] | None


class ReportEstimation(RecallEstimation):
    """The subject models' FActScores and recall as an evaluator estimates them; there are FActScores of facts only."""

    facts: str | None
    subjects: list[EstimationRow]
    subjects_mean: SubjectsMean | None
    ranking_kept: bool | None
    ranking_kept_probability: NotRequired[float | None]


class LevelNoise(RunNoise):
    """The runs beside each other by F1 at a level, undecided units counted as wrong."""

    level: str


class RepeatedRuns(TypedDict):
    """runs: the repeats that figures are over, the last one among them; none of a baseline without a run.

    run_noise_unmeasured: why the noise between runs is not known; None where it is, and where there is none. same_as:
    the evaluator, made before, that this one is under another name, where its runs count; None where it is none.
    """

    runs: list[int]
    run_noise_unmeasured: str | None
    same_as: str | None


class ReportEntry(ReportEstimation, RunSpending, RepeatedRuns):
    """An evaluator in the report. run: the last one, None for a baseline without a run; tokens, cost, seconds, skipped,
    fallbacks, extraction and subjects are its own. skipped, fallbacks: units by reason. run_noise: by level, empty with
    one run. method_code: package, version and hash of the run's method, None where not known. extraction: of the claims
    that the run extracted by itself, None where it has none."""

    evaluator: str
    run: int | None
    method: str
    model: str
    method_code: dict[str, str | None] | None
    results: list[DetectionRow]
    extraction: Extraction | None
    skipped: dict[str, int]
    fallbacks: dict[str, int]
    run_noise: list[LevelNoise]


class Report(TypedDict):
    """scheme: of the dataset. gold_version: None for gold in force."""

    dataset: str
    scheme: str
    gold_version: str | None
    seed: int
    resamples: int
    evaluators: list[ReportEntry]


class ComparedRank(TypedDict):
    """rank: 1 is best. range: the first and the last rank that the evaluator may have by the pairs of the family.
    rank_set: the same by every pair, so that all ranks together are inside. unranked: why it has none."""

    rank: int | None
    range: list[int] | None
    rank_set: list[int] | None
    unranked: str | None


class ComparedEvaluator(ComparedRank, RepeatedRuns):
    """An evaluator of a comparison. results: by slice, "all" first, which is all that counts. run_noise: of the
    question's figure, None with one run."""

    evaluator: str
    run: int | None
    method: str
    model: str
    baseline: bool
    results: dict[str, DetectionRow]
    run_noise: RunNoise | None


class AnnotatorAgreement(TypedDict):
    """F1 of one annotator against another; n: units that a pair judged."""

    f1: float | None
    f1_interval: list[float] | None
    n: int
    undefined: dict[str, str]


class ComparedPair(TypedDict):
    """Two evaluators on all units with gold, undecided ones counted as wrong.

    n: these units. n_both_judged, difference_both_judged: those that both judged. p_holm, p_adjusted,
    simultaneous_interval: None for a pair outside the families. better: the name of the one that is significantly
    better, None where neither is. p_accuracy: p of equal accuracy, at the level of responses only; mcnemar: the same
    where it is McNemar's. p_runs: p by permuting the runs of both, at least p_runs_floor; None unless both have
    several.
    """

    one: str
    other: str
    n: int
    difference: float | None
    interval: list[float] | None
    p: float | None
    p_holm: float | None
    p_adjusted: float | None
    simultaneous_interval: list[float] | None
    better: str | None
    n_both_judged: int
    difference_both_judged: float | None
    p_accuracy: float | None
    mcnemar: float | None
    p_runs: float | None
    p_runs_floor: float | None


class QuestionFields(TypedDict):
    """A ComparisonQuestion in JSON."""

    level: str
    slicing: str
    evaluators: tuple[str, ...] | None
    slices: tuple[str, ...]
    figure: str
    family: str


class ComparisonFigures(TypedDict):
    """slices: names that hold a unit. only_recall: the reason, or "". human: by slice, "all" first. scheme: of the
    dataset; documents that were frozen before schemes were named lack it.

    Pairs and ranks are of the question's figure over all that counts.
    """

    dataset: str
    scheme: NotRequired[str]
    gold_version: str | None
    question: QuestionFields
    seed: int
    resamples: int
    level: str
    slices: list[str]
    only_recall: str
    evaluators: list[ComparedEvaluator]
    human: dict[str, AnnotatorAgreement]
    pairs: list[ComparedPair]


class DetectableDifference(TypedDict):
    """The smallest difference of a slice; `why` is the reason where it is None, and "" elsewhere."""

    level: str
    slice: str
    n: int
    f1: float | None
    difference: float | None
    why: str


class DetectableDifferences(TypedDict):
    """by: a slicing; None where the dataset has neither domains nor subjects. results: "all" first at each level."""

    dataset: str
    gold_version: str | None
    recall: float
    false_alarms: float
    correlation: float
    shared: float
    comparisons: int
    by: str | None
    results: list[DetectableDifference]
