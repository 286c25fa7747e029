"""The document of `factor_report` (docs/commands.md)."""

from collections.abc import Collection

from core.errors import DataError
from factor.models import Benchmark, Scoring
from factor.results.cached import report_of
from factor.results.corpus import corpora_of
from factor.results.page_state import scorings_of
from factor.results.report_types import FactorReport
from stats.factor import MEAN


def describe_benchmark(benchmark: Benchmark, scorings: Collection[int] | None = None, rule: str = MEAN) -> FactorReport:
    """The report on the scorings with these keys, None for all. DataError: one is not of this benchmark, or there is
    none at all."""
    corpus = next(iter(corpora_of(benchmark)), None)
    return report_of(benchmark, _wanted(benchmark, scorings), rule, corpus)


def _wanted(benchmark: Benchmark, wanted: Collection[int] | None) -> list[Scoring]:
    scorings = scorings_of(benchmark)
    unknown = set(wanted or ()) - {each.pk for each in scorings}
    if unknown:
        raise DataError(f"{benchmark.name!r} has no scoring {min(unknown)}")
    if not scorings:
        raise DataError(f"nothing is scored on {benchmark.name!r} yet")
    return [each for each in scorings if not wanted or each.pk in wanted]
