"""Error detection: how well an evaluator finds the errors, and the registry of its metrics.

Error is the positive class. nan stands for undefined until a figure is printed.

References
----------
Chen et al. (2023), FELM, §4.1; Min et al. (2023), FActScore, §4.2. docs/statistics.md, Error detection.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NotRequired, TypedDict, cast

import numpy as np
from numpy.typing import NDArray

from stats.arrays import Flags, Floats, Ints, known, ratio
from stats.bootstrap import Interval, Resampling
from stats.intervals import effective_intervals, why_withheld
from stats.run_effects import RunPart, join_parts, run_part

Decisions = NDArray[np.int8]

# A decision at a unit, in the order of precedence: that of a whole (a response, a sentence) is the
# largest of its parts'. One known error decides; without one an unparsed part leaves it unparsed, then a missing one
# missing. Gold has no UNPARSED.
CORRECT, MISSING, UNPARSED, ERROR = range(4)


def roll_up(decisions: Decisions, whole: Ints, wholes: int) -> Decisions:
    """Decisions on wholes from those on their parts; one error makes the whole an error.

    Parameters
    ----------
    decisions : (N,) int8
        Decisions on the parts.
    whole : (N,) int
        Number of each part's whole.
    wholes : int
        How many wholes there are.

    Returns
    -------
    (wholes,) int8; MISSING for a whole without parts.
    """
    rolled = np.full(wholes, CORRECT, dtype=np.int8)
    np.maximum.at(rolled, whole, decisions)
    rolled[np.bincount(whole, minlength=wholes) == 0] = MISSING
    return rolled


@dataclass(frozen=True)
class ConfusionCounts:
    """Decisions counted against gold: arrays of any one shape."""

    tp: Floats
    fp: Floats
    fn: Floats
    tn: Floats

    def flipped(self) -> "ConfusionCounts":
        """The same with correct as the positive class."""
        return ConfusionCounts(tp=self.tn, fp=self.fn, fn=self.fp, tn=self.tp)


def precision(counts: ConfusionCounts) -> Floats:
    """TP / (TP + FP); nan where nothing was called an error."""
    return ratio(counts.tp, counts.tp + counts.fp)


def recall(counts: ConfusionCounts) -> Floats:
    """TP / (TP + FN); nan without gold errors."""
    return ratio(counts.tp, counts.tp + counts.fn)


def f1(counts: ConfusionCounts) -> Floats:
    """2TP / (2TP + FP + FN); nan without gold errors, 0 where there are some and none was called."""
    has_errors = counts.tp + counts.fn > 0
    return np.where(has_errors, ratio(2 * counts.tp, 2 * counts.tp + counts.fp + counts.fn), np.nan)


def macro_f1(counts: ConfusionCounts) -> Floats:
    """The mean of the F1 of both classes; nan unless gold has both."""
    return (f1(counts) + f1(counts.flipped())) / 2


def balanced_accuracy(counts: ConfusionCounts) -> Floats:
    """The mean of the recall of both classes; nan unless gold has both."""
    return (recall(counts) + recall(counts.flipped())) / 2


NO_ERRORS = "no unit with a decision is an error in gold"
NO_CORRECT = "no unit with a decision is correct in gold"
NONE_CALLED = "no unit was called an error"
NONE_DECIDED = "there is no decision"
NO_UNITS = "there is no unit with gold"
FIXED = "no interval: whoever calls everything alike has this figure, whatever the prompts"


# What the units of a prompt may be, of which a metric needs some: the number of such units.
AN_ERROR, A_CORRECT_UNIT, AN_ALARM = "an error", "a correct unit", "a unit called an error"
UNITS: dict[str, Callable[[ConfusionCounts], Floats]] = {
    AN_ERROR: lambda counts: counts.tp + counts.fn,
    A_CORRECT_UNIT: lambda counts: counts.tn + counts.fp,
    AN_ALARM: lambda counts: counts.tp + counts.fp,
}


@dataclass(frozen=True)
class Metric:
    """A metric of error detection as pages, tables and reports name it.

    Attributes
    ----------
    title : str
    compute : function of ConfusionCounts to an array, nan where undefined
    help : str
        Its meaning in one line.
    undefined : reasons
        Those for which it may have no value; the first that holds is given.
    needs : names of UNITS
        It rests on the prompts that have such units, on the fewer where it needs two kinds.
    fixed : bool
        It has one and the same value for whoever calls everything alike, whatever the prompts.
    """

    title: str
    compute: Callable[[ConfusionCounts], Floats]
    help: str
    undefined: tuple[str, ...]
    needs: tuple[str, ...] = (AN_ERROR,)
    fixed: bool = False

    def rests_on(self, prompts: Mapping[str, int]) -> tuple[int, str]:
        """On how many prompts it rests, and what they have, given the number of prompts by what they have (UNITS)."""
        return min(((prompts[what], what) for what in self.needs), key=itemgetter(0))

    def compute_totals(self, totals: Floats) -> Floats:
        """The metric (…) of counts (…, 4) in the order of ConfusionCounts."""
        return self.compute(ConfusionCounts(*np.moveaxis(totals, -1, 0)))

    def clusters(self, counts: ConfusionCounts) -> Ints:
        """The same (…) from the counts (C, …) of each prompt."""
        return np.asarray(np.min([(UNITS[what](counts) > 0).sum(axis=0) for what in self.needs], axis=0))


# Every metric, in the order of reports. A new one is its function above and an entry here.
METRICS = {
    "precision": Metric(
        "Precision", precision, "The share of its alarms that were justified", (NONE_CALLED,), (AN_ALARM,)
    ),
    "recall": Metric("Recall", recall, "The share of the errors that it found", (NO_ERRORS,)),
    "f1": Metric("F1", f1, "2TP / (2TP + FP + FN), error being the positive class", (NO_ERRORS,)),
    "macro_f1": Metric(
        "Macro-F1",
        macro_f1,
        "The mean of the F1 of errors and the F1 of correct units",
        (NO_ERRORS, NO_CORRECT),
        (AN_ERROR, A_CORRECT_UNIT),
    ),
    "balanced_accuracy": Metric(
        "Balanced accuracy",
        balanced_accuracy,
        "The mean of the shares of errors and of correct units it got right",
        (NO_ERRORS, NO_CORRECT),
        (AN_ERROR, A_CORRECT_UNIT),
        fixed=True,
    ),
}
# The metrics that always come with an interval and bounds.
HEADLINES = ("f1", "balanced_accuracy")


def undefined_reasons(counts: ConfusionCounts, n: float) -> dict[str, str]:
    """The reason for each metric that is undefined; {} where none is.

    Parameters
    ----------
    counts : ConfusionCounts of scalars
    n : float
        Units with gold.
    """
    reasons = {} if n else {"coverage": NO_UNITS}
    if not counts.tp + counts.fp + counts.fn + counts.tn:
        return {**reasons, **dict.fromkeys(METRICS, NONE_DECIDED)}
    holds = {
        NONE_CALLED: not counts.tp + counts.fp,
        NO_ERRORS: not counts.tp + counts.fn,
        NO_CORRECT: not counts.tn + counts.fp,
    }
    first = {name: next((reason for reason in each.undefined if holds[reason]), "") for name, each in METRICS.items()}
    return reasons | {name: reason for name, reason in first.items() if reason}


@dataclass(frozen=True)
class Tally:
    """Units with gold, counted; each field is an array of one shape (per cluster and slice, per slice, …).

    Attributes
    ----------
    counts : decisions against gold
    unparsed_error, unparsed_correct : units with an unparsed answer, by their gold
    missing_error, missing_correct : units without a prediction, by their gold
    """

    counts: ConfusionCounts
    unparsed_error: Floats
    unparsed_correct: Floats
    missing_error: Floats
    missing_correct: Floats

    @property
    def predicted(self) -> Floats:
        return self.counts.tp + self.counts.fp + self.counts.fn + self.counts.tn

    @property
    def unparsed(self) -> Floats:
        return self.unparsed_error + self.unparsed_correct

    @property
    def missing(self) -> Floats:
        return self.missing_error + self.missing_correct

    @property
    def n(self) -> Floats:
        return self.predicted + self.unparsed + self.missing

    def best(self) -> ConfusionCounts:
        """Counts as if every unparsed unit had been judged as gold does."""
        counts = self.counts
        return ConfusionCounts(counts.tp + self.unparsed_error, counts.fp, counts.fn, counts.tn + self.unparsed_correct)

    def worst(self) -> ConfusionCounts:
        """Counts as if every unparsed unit had been judged the other way."""
        counts = self.counts
        return ConfusionCounts(counts.tp, counts.fp + self.unparsed_correct, counts.fn + self.unparsed_error, counts.tn)


def undecided(counted: Tally) -> Tally:
    """The same with missing units among the unparsed.

    Its best and worst counts are the bounds for an evaluator that had left nothing out.
    """
    nothing = np.zeros_like(counted.missing)
    return Tally(
        counted.counts,
        counted.unparsed_error + counted.missing_error,
        counted.unparsed_correct + counted.missing_correct,
        nothing,
        nothing,
    )


def tally(gold: Decisions, decisions: Decisions, group: Ints, groups: int) -> Tally:
    """Units counted in each group; units without gold do not count.

    Parameters
    ----------
    gold : (N,) int8
    decisions : (N,) int8, or (R, N) of R runs
        Of several runs the counts are means over the runs.
    group : (N,) int
        Number of each unit's group.
    groups : int
        How many groups there are.

    Returns
    -------
    Tally of arrays (groups,).
    """

    runs = np.atleast_2d(decisions)

    def count(gold_code: int, *codes: int) -> Floats:
        places = [group[(gold == gold_code) & np.isin(run, codes)] for run in runs]
        return np.bincount(np.concatenate(places), minlength=groups) / len(runs)

    return Tally(
        ConfusionCounts(
            tp=count(ERROR, ERROR), fp=count(CORRECT, ERROR), fn=count(ERROR, CORRECT), tn=count(CORRECT, CORRECT)
        ),
        unparsed_error=count(ERROR, UNPARSED),
        unparsed_correct=count(CORRECT, UNPARSED),
        missing_error=count(ERROR, MISSING),
        missing_correct=count(CORRECT, MISSING),
    )


class DetectionFigures(TypedDict):
    """Figures of one evaluator in one slice (docs/commands.md, `report`), None where undefined.

    The metrics are those of METRICS. One that is no headline comes with its interval and bounds where it is asked for;
    `figure_of` and `ends_of` read them by name. Of several runs the counts are means, which need not be whole, and the
    figures follow from them. error_prompts: prompts with a decision on an error. withheld: why a
    metric that has a value has no interval.
    """

    n: int
    predicted: float
    unparsed: float
    missing: float
    coverage: float | None
    tp: float
    fp: float
    fn: float
    tn: float
    precision: float | None
    recall: float | None
    f1: float | None
    macro_f1: float | None
    balanced_accuracy: float | None
    f1_interval: list[float] | None
    f1_bounds: list[float] | None
    f1_bounds_with_missing: list[float] | None
    balanced_accuracy_interval: list[float] | None
    balanced_accuracy_bounds: list[float] | None
    balanced_accuracy_bounds_with_missing: list[float] | None
    error_prompts: int
    withheld: dict[str, str]
    undefined: dict[str, str]
    undefined_resamples: dict[str, int]


class DetectionRow(DetectionFigures):
    """Figures at a level. slice: its name by the kind of slices; expected: the figures to expect of a random judge.

    pessimistic and the names that begin so, unranked: see stats/pessimistic.py.
    """

    level: str
    slice: dict[str, str]
    pessimistic: NotRequired[dict[str, float | None]]
    pessimistic_intervals: NotRequired[dict[str, list[float] | None]]
    pessimistic_withheld: NotRequired[dict[str, str]]
    pessimistic_error_prompts: NotRequired[int]
    unranked: NotRequired[str | None]
    expected: NotRequired[dict[str, float | None]]


def figure_of(figures: DetectionFigures, name: str) -> float | None:
    """The metric of that name (METRICS)."""
    return cast(Mapping[str, float | None], figures)[name]


def ends_of(figures: DetectionFigures, name: str) -> list[float] | None:
    """The interval or the bounds of that key; None also where the figures come without it."""
    return cast(Mapping[str, list[float] | None], figures).get(name)


@dataclass(frozen=True)
class Level:
    """Units of one level, with gold.

    Attributes
    ----------
    name : "fact", "segment" or "response"
    gold : (N,) int8
    cluster : (N,) int
        Number of each unit's prompt.
    slice : (N,) int
        Number of each unit's slice; the slices part the units, and "all" is added to them.
    slices : their names
    slice_name : "domain" or "subject"
    """

    name: str
    gold: Decisions
    cluster: Ints
    slice: Ints
    slices: tuple[str, ...]
    slice_name: str


def describe_level(
    level: Level, decisions: list[Decisions], resampling: Resampling, headlines: Collection[str] = HEADLINES
) -> list[list[DetectionRow]]:
    """Results of each evaluator: a row for all units, then one for each slice.

    Parameters
    ----------
    level : Level
    decisions : (N,) int8 for each evaluator, or (R, N) of its R runs
    resampling : Resampling
        The same draws of prompts serve all evaluators and slices.
    headlines : names of METRICS
        Those that come with an interval and with bounds.

    Returns
    -------
    For each evaluator its rows (docs/commands.md, `report`); figures are None where undefined, with the reason, and
    "undefined_resamples" counts the draws in which a figure has no value.
    """
    rows: list[list[DetectionRow]] = []
    bytes_of_one = 8 * (len(level.slices) + 1) * (4 * resampling.resamples + _FIELDS * len(resampling.strata))
    together = max(1, HELD_BYTES // bytes_of_one)
    for start in range(0, len(decisions), together):
        rows += _describe_some(level, decisions[start : start + together], resampling, headlines)
    return rows


# The counts of as many evaluators at a time are held, by cluster and by resample, as fit in this.
HELD_BYTES = 64 * 2**20


def _describe_some(
    level: Level, decisions: list[Decisions], resampling: Resampling, headlines: Collection[str]
) -> list[list[DetectionRow]]:
    clusters, slices = len(resampling.strata), len(level.slices)
    group = level.cluster * slices + level.slice

    def count(run: Decisions) -> Floats:
        return _by_cluster(tally(level.gold, run, group, clusters * slices), clusters, slices)

    by_run = [np.stack([count(run) for run in np.atleast_2d(each)]) for each in decisions]
    stacked = np.stack([runs.sum(axis=0) for runs in by_run], axis=1)
    drawn = _counts_of(_resample(stacked[..., :4], resampling))
    whole = stacked.sum(axis=0) / np.array([len(runs) for runs in by_run])[:, None, None]
    prompts = prompts_with(_counts_of(stacked))
    runs = {name: _run_parts(by_run, name) for name in headlines}
    around = {name: _intervals(name, _counts_of(whole), drawn, prompts, runs[name]) for name in headlines}
    names = ("all", *level.slices)

    def row(e: int, s: int) -> DetectionRow:
        intervals_of_row = {figure: each[e * len(names) + s] for figure, each in around.items()}
        prompts_of_row = {what: int(each[e, s]) for what, each in prompts.items()}
        figures_of_row = _describe(_tally_of(whole[e, s]), intervals_of_row, prompts_of_row)
        return cast(DetectionRow, {"level": level.name, "slice": {level.slice_name: names[s]}, **figures_of_row})

    return [[row(e, s) for s in range(len(names))] for e in range(len(decisions))]


def prompts_with(counts: ConfusionCounts) -> dict[str, Ints]:
    """The number of prompts (…) by what they have (UNITS), from the counts (prompts, …) of each."""
    return {what: np.asarray((units(counts) > 0).sum(axis=0)) for what, units in UNITS.items()}


def all_alike(counts: ConfusionCounts) -> Flags:
    """Whether everything was called an error, or everything correct (…)."""
    return np.asarray((counts.tp + counts.fp == 0) | (counts.fn + counts.tn == 0))


def _run_parts(by_run: Sequence[Floats], name: str) -> RunPart | None:
    """The part of the runs in a metric's variance, flat: evaluator by evaluator, all units and then each slice.

    by_run: counts (R, clusters, slices + 1, fields) of each evaluator. None where every evaluator has one run.
    """
    if all(len(runs) == 1 for runs in by_run):
        return None
    return join_parts([run_part(runs[..., :4], METRICS[name].compute_totals) for runs in by_run])


def _intervals(
    name: str,
    whole: ConfusionCounts,
    drawn: ConfusionCounts,
    prompts: Mapping[str, Ints],
    runs: RunPart | None = None,
) -> list[Interval | None]:
    """The interval of a metric for counts (…), flat, from those in each resample (R, …)."""
    metric = METRICS[name]
    varies = ~(all_alike(whole) & metric.fixed)
    values = np.where(varies, metric.compute(whole), np.nan).ravel()
    fewest = np.min([prompts[what] for what in metric.needs], axis=0)
    return effective_intervals(values, metric.compute(drawn).reshape(-1, len(values)), fewest.ravel(), runs=runs)


def _resample(stacked: Floats, resampling: Resampling) -> Floats:
    """Counts (clusters, evaluators, slices + 1, 4) in each resample (resamples, evaluators, slices + 1, 4).

    Most slices hold whole prompts, so each is added up over the few prompts that it holds; "all" is their sum. Without
    a slice there is no unit.
    """
    if stacked.shape[2] == 1:
        return np.zeros((resampling.resamples, *stacked.shape[1:]))
    parts = resampling.counts([part.reshape(len(part), -1) for part in np.moveaxis(stacked[:, :, 1:], 2, 0)])
    drawn = np.stack([part.reshape(-1, stacked.shape[1], 4) for part in parts], axis=2)
    return np.concatenate([drawn.sum(axis=2, keepdims=True), drawn], axis=2)


_FIELDS = 8


def _by_cluster(counted: Tally, clusters: int, slices: int) -> Floats:
    """(clusters, slices + 1, fields), the first slice being all of them."""
    counts = counted.counts
    unparsed = (counted.unparsed_error, counted.unparsed_correct)
    fields = (counts.tp, counts.fp, counts.fn, counts.tn, *unparsed, counted.missing_error, counted.missing_correct)
    parted = np.stack(fields, axis=1).reshape(clusters, slices, _FIELDS)
    return np.concatenate([parted.sum(axis=1, keepdims=True), parted], axis=1)


def _counts_of(fields: Floats) -> ConfusionCounts:
    return ConfusionCounts(*(fields[..., place] for place in range(4)))


def _tally_of(fields: Floats) -> Tally:
    return Tally(_counts_of(fields), *(fields[..., place] for place in range(4, _FIELDS)))


def describe(counted: Tally, drawn: ConfusionCounts, by_prompt: ConfusionCounts) -> DetectionFigures:
    """Figures of one evaluator in one slice, None where undefined.

    Parameters
    ----------
    counted : Tally of scalars
    drawn : ConfusionCounts of arrays (R,)
        Its counts in the resamples.
    by_prompt : ConfusionCounts of arrays (C,)
        Its counts in each prompt.
    """
    prompts = prompts_with(by_prompt)
    around = {name: _intervals(name, counted.counts, drawn, prompts)[0] for name in HEADLINES}
    return _describe(counted, around, {what: int(number) for what, number in prompts.items()})


def _describe(counted: Tally, around: Mapping[str, Interval | None], prompts: Mapping[str, int]) -> DetectionFigures:
    counts = counted.counts
    reasons = undefined_reasons(counts, float(counted.n))
    described = {
        "n": int(counted.n),
        "predicted": _number(counted.predicted),
        "unparsed": _number(counted.unparsed),
        "missing": _number(counted.missing),
        "coverage": known(ratio(counted.predicted, counted.n)),
        "tp": _number(counts.tp),
        "fp": _number(counts.fp),
        "fn": _number(counts.fn),
        "tn": _number(counts.tn),
        **figures(counts),
        **{f"{name}_interval": each.ends() if each else None for name, each in around.items()},
        **{f"{name}_bounds": _bounds(METRICS[name].compute, counted) for name in around},
        **{f"{name}_bounds_with_missing": _bounds(METRICS[name].compute, undecided(counted)) for name in around},
        "error_prompts": prompts[AN_ERROR],
        "withheld": {
            name: _withheld(name, counts, prompts) for name, each in around.items() if not (each or name in reasons)
        },
        "undefined": reasons,
        "undefined_resamples": {name: each.undefined for name, each in around.items() if each},
    }
    return cast(DetectionFigures, described)


def _number(count: Floats) -> float:
    """A count as an int, the mean of several runs' counts as a float where it is not whole."""
    return int(count) if float(count).is_integer() else float(count)


def _withheld(name: str, counts: ConfusionCounts, prompts: Mapping[str, int]) -> str:
    if METRICS[name].fixed and all_alike(counts):
        return FIXED
    number, what = METRICS[name].rests_on(prompts)
    return why_withheld(number, f"prompts with {what}")


def figures(counts: ConfusionCounts) -> dict[str, float | None]:
    """Every metric of METRICS, None where undefined."""
    return {name: known(each.compute(counts)) for name, each in METRICS.items()}


def _bounds(compute: Callable[[ConfusionCounts], Floats], counted: Tally) -> list[float] | None:
    low, high = known(compute(counted.worst())), known(compute(counted.best()))
    return None if low is None or high is None else [low, high]
