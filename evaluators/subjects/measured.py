"""What gold says of the subject models, kept as long as gold stands."""

from collections.abc import Iterable
from typing import Any

from annotate.models import Dataset, GoldVersion
from annotate.statistics.figures import build_dataset_stats
from core.caching import cached
from evaluators.comparison.judges import TRIVIAL
from evaluators.comparison.study import gold_state

Document = dict[str, Any]

# The classes of the published file and those of our own samples (FActScore A.1), the rarest first.
RAREST_FIRST = ("very rare", "rare", "medium", "freq", "frequent", "very freq", "very frequent")


def stats_of(dataset: Dataset, version: GoldVersion | None) -> Document:
    """The document of `dataset_stats` (docs/commands.md) over gold in force, or a frozen version of it."""
    key = f"stats-{dataset.pk}-{gold_state(dataset, version)}"
    return cached(key, lambda: build_dataset_stats(dataset, version.name if version else None))


def measured_subjects(stats: Document) -> list[Document]:
    """Those with a score by gold, the best first."""
    measured = [subject for subject in stats["subjects"] if subject["factscore"] is not None]
    return sorted(measured, key=lambda subject: (-subject["factscore"], subject["subject"]))


def grouped(subjects: Iterable[Document], kind: str, grouping: str) -> list[Document]:
    """The shares of a grouping, a row a group and subject: {"name", "subject", "share", "low", "high", "n"}.

    kind: "precision" or "citations". Classes of frequency stand from the rarest on, others as they first occur.
    """
    rows = [
        {
            "name": each["name"],
            "subject": subject["subject"],
            "share": each["share"],
            **ends(each["interval"]),
            "n": each["n"],
        }
        for subject in subjects
        for each in subject[kind][grouping]
    ]
    names = list(dict.fromkeys(row["name"] for row in rows))
    places = {name: RAREST_FIRST.index(name) if name in RAREST_FIRST else len(RAREST_FIRST) for name in names}
    return sorted(rows, key=lambda row: (places[row["name"]], names.index(row["name"])))


def ends(interval: list[float] | None, prefix: str = "") -> dict[str, float | None]:
    """An interval as two columns of a row."""
    low, high = interval or (None, None)
    return {f"{prefix}low": low, f"{prefix}high": high}


def estimates_of(report: Document, subject: str = "") -> list[Document]:
    """A row an evaluator and subject: F1micro beside the error rate and what it is made of (FActScore §4.2).

    report: of `report` (docs/commands.md, `report`). subject: "" for all of them.
    """
    return [
        {
            "evaluator": entry["evaluator"],
            "facts": entry["facts"],
            "baseline": entry["method"] in TRIVIAL,
            "ranking_kept": entry["ranking_kept"],
            "ranking_kept_probability": entry["ranking_kept_probability"],
            **row,
            **_detection(entry, row["subject"]),
        }
        for entry in report["evaluators"]
        for row in entry["subjects"]
        if subject in ("", row["subject"])
    ]


def _detection(entry: Document, subject: str) -> Document:
    """What of the evaluator's decisions on the subject's human facts stands beside its estimate."""
    wanted = ("f1", "f1_interval", "f1_bounds", "n", "predicted", "unparsed", "missing", "coverage", "undefined")
    found: Document = next(
        (row for row in entry["results"] if row["level"] == "fact" and row["slice"].get("subject") == subject), {}
    )
    return {key: found.get(key) for key in wanted}


def contrary_pairs(rows: list[Document]) -> list[Document]:
    """Where one evaluator has the better F1micro and the other the better error rate (FActScore figure 3).

    {"subject", "finds", "finds_f1", "finds_error_rate", "nearer", "nearer_f1", "nearer_error_rate"}, the widest first;
    two trivial baselines are not compared.
    """
    known = [row for row in rows if row["f1"] is not None and row["error_rate"] is not None]
    pairs = [
        (finds, nearer)
        for finds in known
        for nearer in known
        if finds["subject"] == nearer["subject"]
        and not (finds["baseline"] and nearer["baseline"])
        and finds["f1"] > nearer["f1"]
        and finds["error_rate"] > nearer["error_rate"]
    ]
    pairs.sort(key=lambda pair: (pair[0]["f1"] - pair[1]["f1"]) * (pair[1]["error_rate"] - pair[0]["error_rate"]))
    return [
        {
            "subject": finds["subject"],
            "finds": finds["evaluator"],
            "finds_f1": finds["f1"],
            "finds_error_rate": finds["error_rate"],
            "nearer": nearer["evaluator"],
            "nearer_f1": nearer["f1"],
            "nearer_error_rate": nearer["error_rate"],
        }
        for finds, nearer in pairs
    ]


def reach_of(estimates: list[Document]) -> float:
    """How far an axis of biases goes to both sides, at least a tenth."""
    ends_of: list[float] = [abs(end) for row in estimates for end in row["bias_interval"] or [row["bias"] or 0.0]]
    return max([0.1, *ends_of])
