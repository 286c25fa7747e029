"""Subject models by gold, kept as long as gold stands."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, cast

from django.conf import settings

from annotate.models import Dataset, GoldVersion
from annotate.statistics.figures import build_dataset_stats
from core.caching import cached
from evaluators.comparison.documents import Report, ReportEntry, SubjectsMean
from evaluators.comparison.judges import TRIVIAL
from evaluators.comparison.study import gold_state
from evaluators.subjects.documents import (
    ContraryPair,
    EstimateRow,
    GroupRow,
    MeanEstimate,
    MeasuredSubject,
    SubjectStats,
)
from stats.f1_at_k import KChoice
from stats.factscore_estimation import EstimationRow
from stats.factscore_groups import GroupShare
from stats.pessimistic import why_unranked

# The classes of the published file and those of our own samples (FActScore A.1), the rarest first.
RAREST_FIRST = ("very rare", "rare", "medium", "freq", "frequent", "very freq", "very frequent")


def stats_of(dataset: Dataset, version: GoldVersion | None, k: KChoice = None) -> SubjectStats:
    """The document of `dataset_stats` (docs/commands.md) over gold in force, or a frozen version of it. k: of F1@K."""
    key = f"stats-{dataset.pk}-{gold_state(dataset, version)}-at-{k}"
    return cached(key, lambda: cast(SubjectStats, build_dataset_stats(dataset, version.name if version else None, k)))


def measured_subjects(stats: SubjectStats) -> list[MeasuredSubject]:
    """The subjects with a score by gold, the best first."""
    measured = [(subject["factscore"], subject) for subject in stats["subjects"] if subject["factscore"] is not None]
    return [subject for _, subject in sorted(measured, key=lambda pair: (-pair[0], pair[1]["subject"]))]


def grouped(
    subjects: Iterable[MeasuredSubject], kind: Literal["precision", "citations"], grouping: str
) -> list[GroupRow]:
    """The shares of a grouping, a row a group and subject.

    Classes of frequency stand from the rarest on, others as they first occur.
    """
    rows = [_group_row(subject["subject"], each) for subject in subjects for each in subject[kind][grouping]]
    names = list(dict.fromkeys(row["name"] for row in rows))
    places = {name: RAREST_FIRST.index(name) if name in RAREST_FIRST else len(RAREST_FIRST) for name in names}
    return sorted(rows, key=lambda row: (places[row["name"]], names.index(row["name"])))


def _group_row(subject: str, group: GroupShare) -> GroupRow:
    low, high = group["interval"] or (None, None)
    return {
        "name": group["name"],
        "subject": subject,
        "share": group["share"],
        "low": low,
        "high": high,
        "n": group["n"],
    }


def ends(interval: list[float] | None, prefix: str = "") -> dict[str, float | None]:
    """An interval as two columns of a row."""
    low, high = interval or (None, None)
    return {f"{prefix}low": low, f"{prefix}high": high}


def estimates_of(report: Report, subject: str = "") -> list[EstimateRow]:
    """A row an evaluator and subject: F1micro beside the error rate and its parts (FActScore §4.2).

    report: of `report` (docs/commands.md, `report`). subject: "" for all of them.
    """
    return [
        _estimate_row(entry, row)
        for entry in report["evaluators"]
        for row in entry["subjects"]
        if subject in ("", row["subject"])
    ]


def _estimate_row(entry: ReportEntry, row: EstimationRow) -> EstimateRow:
    """The estimate beside the evaluator's error detection on the subject's human facts; None where it has no such."""
    detection = next(
        (
            each
            for each in entry["results"]
            if (each["level"], each["slice"].get("subject")) == ("fact", row["subject"])
        ),
        None,
    )
    return {
        "evaluator": entry["evaluator"],
        "facts": entry["facts"],
        "baseline": entry["method"] in TRIVIAL,
        "ranking_kept": entry["ranking_kept"],
        "ranking_kept_probability": entry["ranking_kept_probability"],
        **row,
        "f1": detection["f1"] if detection else None,
        "f1_interval": detection["f1_interval"] if detection else None,
        "f1_bounds": detection["f1_bounds"] if detection else None,
        "n": detection["n"] if detection else None,
        "predicted": detection["predicted"] if detection else None,
        "unparsed": detection["unparsed"] if detection else None,
        "missing": detection["missing"] if detection else None,
        "coverage": detection["coverage"] if detection else None,
        "undefined": detection["undefined"] if detection else None,
    }


def means_of(rows: Sequence[EstimateRow], means: Mapping[str, SubjectsMean]) -> list[MeanEstimate]:
    """A row an evaluator with the means over subjects, the smallest mean error rate first; evaluators that decided too
    little below, the trivial baselines last.

    rows: of all subjects. means: the report's `subjects_mean`, by evaluator.
    """
    subjects = {row["subject"] for row in rows}
    found = []
    for name in dict.fromkeys(row["evaluator"] for row in rows):
        own = [row for row in rows if row["evaluator"] == name]
        reasons = [why for row in own if (why := why_unranked(row["coverage"], settings.LEAST_COVERAGE))]
        found.append(_mean_estimate(own, means[name], len(subjects), reasons[0] if reasons else None))
    return sorted(found, key=_place)


def means_over_subjects(report: Report) -> list[MeanEstimate]:
    """Rows of means_of over all subjects of the report; none where there are fewer than two."""
    means = {
        entry["evaluator"]: found for entry in report["evaluators"] if (found := entry["subjects_mean"]) is not None
    }
    rows = means_of(estimates_of(report), means)
    return rows if rows and rows[0]["of"] > 1 else []


def _mean_estimate(own: Sequence[EstimateRow], means: SubjectsMean, of: int, unranked: str | None) -> MeanEstimate:
    first = own[0]
    return {
        "evaluator": first["evaluator"],
        "facts": first["facts"],
        "baseline": first["baseline"],
        "unranked": unranked,
        "subjects": sum(row["error_rate"] is not None for row in own),
        "of": of,
        **means,
    }


def _place(row: MeanEstimate) -> tuple[bool, bool, bool, float]:
    rate = row["error_rate"]
    return row["baseline"], row["unranked"] is not None, rate is None, rate or 0.0


def contrary_pairs(rows: list[EstimateRow]) -> list[ContraryPair]:
    """Pairs in which one evaluator has the better F1micro and the other the better error rate (FActScore figure 3).

    The widest stand first; two trivial baselines are not compared, nor is an evaluator that decided too little.
    """
    known = [
        (row, row["f1"], row["error_rate"])
        for row in rows
        if row["f1"] is not None
        and row["error_rate"] is not None
        and not why_unranked(row["coverage"], settings.LEAST_COVERAGE)
    ]
    pairs: list[ContraryPair] = [
        {
            "subject": finds["subject"],
            "finds": finds["evaluator"],
            "finds_f1": finds_f1,
            "finds_error_rate": finds_rate,
            "nearer": nearer["evaluator"],
            "nearer_f1": nearer_f1,
            "nearer_error_rate": nearer_rate,
            "finds_baseline": finds["baseline"],
            "nearer_baseline": nearer["baseline"],
        }
        for finds, finds_f1, finds_rate in known
        for nearer, nearer_f1, nearer_rate in known
        if finds["subject"] == nearer["subject"]
        and not (finds["baseline"] and nearer["baseline"])
        and finds_f1 > nearer_f1
        and finds_rate > nearer_rate
    ]
    return sorted(pairs, key=lambda pair: -_width(pair))


def _width(pair: ContraryPair) -> float:
    return (pair["finds_f1"] - pair["nearer_f1"]) * (pair["finds_error_rate"] - pair["nearer_error_rate"])


def reach_of(estimates: list[EstimateRow]) -> float:
    """The reach of an axis of biases to both sides, at least a tenth."""
    ends_of: list[float] = [abs(end) for row in estimates for end in row["bias_interval"] or [row["bias"] or 0.0]]
    return max([0.1, *ends_of])
