"""The yields of a build as its page and its command show them."""

from dataclasses import asdict, dataclass
from typing import Any

from django.db.models import QuerySet

from factor.building.progress import BuildProgress
from factor.building.yields import Contradictions
from factor.models import BenchmarkBuild, BenchmarkBuildItem, Candidate, FactorErrorType
from factor.models.benchmark_build import BenchmarkBuildItemQuerySet

FAILURES_SHOWN = 20


@dataclass(frozen=True)
class YieldRow:
    """A line of the yields: a number and its share of another number. share: None of nothing."""

    called: str
    number: int
    of: int

    @property
    def share(self) -> float | None:
        return self.number / self.of if self.of else None


@dataclass(frozen=True)
class TypeYield:
    """A line of the table of error types; `error_type` "" for all together."""

    error_type: str
    label: str
    counted: Contradictions

    @property
    def fit_share(self) -> float | None:
        return self.counted.fit / self.counted.written if self.counted.written else None

    @property
    def passed_share(self) -> float | None:
        return self.counted.passed / self.counted.fit if self.counted.fit else None

    @property
    def chosen_share(self) -> float | None:
        return self.counted.chosen / self.counted.passed if self.counted.passed else None


@dataclass(frozen=True)
class Left:
    """So many were left out for the reason."""

    reason: str
    label: str
    number: int


@dataclass(frozen=True)
class Yields:
    steps: list[YieldRow]
    types: list[TypeYield]
    documents_left: list[Left]
    candidates_left: list[Left]


def yields_shown(progress: BuildProgress) -> Yields:
    """Of documents stage by stage, of contradictions by their types, and of dropped ones by their reasons."""
    documents, (total, *types) = progress.documents, progress.contradictions
    return Yields(
        steps=[
            YieldRow("drawn from the source", documents.drawn, documents.drawn),
            YieldRow("stage 1: with a sentence that can be a completion", documents.with_sentence, documents.drawn),
            YieldRow(
                "stage 2: with a contradiction that can be used", documents.with_candidates, documents.with_sentence
            ),
            YieldRow("stage 3: with one that passed the filters", documents.with_passed, documents.with_candidates),
            YieldRow("stage 4: with three to choose, an example", documents.made, documents.with_passed),
        ],
        types=[
            TypeYield("", "All", total),
            *(TypeYield(each.error_type, FactorErrorType(each.error_type).label, each) for each in types),
        ],
        documents_left=[
            Left(reason, BenchmarkBuildItem.Reason(reason).label, number)
            for reason, number in documents.left_out.items()
        ],
        candidates_left=[
            Left(reason, Candidate.Reason(reason).label, number) for reason, number in total.dropped.items()
        ],
    )


def failures_of(build: BenchmarkBuild) -> QuerySet[BenchmarkBuildItem]:
    """The first failed documents, with their errors."""
    failed: BenchmarkBuildItemQuerySet = build.items.failed()
    return failed.select_related("document").defer("document__text")[:FAILURES_SHOWN]


def report_of(build: BenchmarkBuild, progress: BuildProgress) -> dict[str, Any]:
    """The yields as plain values; in `left_out` and `dropped` by the reason."""
    documents = progress.documents
    return {
        "dataset": build.benchmark.dataset.name,
        "benchmark": build.benchmark.name,
        "source": build.source.name,
        "source_revision": build.source_revision,
        "seed": build.seed,
        "model": build.model,
        "filters": build.filters,
        "prompts": {"set": build.prompts, "templates": build.templates},
        "state": build.state,
        "documents": asdict(documents),
        "contradictions": {each.error_type or "all": _counted(each) for each in progress.contradictions},
        "spent_tokens": build.spent_tokens,
        "spent_usd": float(build.spent_usd),
    }


def _counted(contradictions: Contradictions) -> dict[str, Any]:
    counted = asdict(contradictions)
    del counted["error_type"]
    return counted
