"""What a request for results is about: the benchmark's scorings, what of them is chosen, and the report of that."""

from dataclasses import dataclass
from typing import Any

from annotate.access import MemberRequest
from factor.models import Benchmark, Scoring
from factor.results.cached import report_of
from factor.results.chosen import ResultsState, read_chosen
from factor.results.corpus import Corpus, corpora_of
from factor.results.names import names_of

Document = dict[str, Any]


@dataclass(frozen=True)
class ResultsRequest:
    """scorings: every one of the benchmark that has something to show; names: by their keys. waiting: those that have
    scored nothing yet. report: None where there is nothing to show."""

    scorings: list[Scoring]
    waiting: list[Scoring]
    names: dict[int, str]
    corpora: list[Corpus]
    chosen: ResultsState
    report: Document | None

    @property
    def unfinished(self) -> list[Scoring]:
        return [each for each in self.chosen.scorings if each.state != Scoring.State.FINISHED]


def scorings_of(benchmark: Benchmark) -> list[Scoring]:
    """From the smallest model of a family to the largest, plain ones first."""
    found = benchmark.scorings.select_related("model", "source", "benchmark__dataset")
    return list(found.order_by("model__family", "model__parameters", "model__name", "-with_prefix", "source", "pk"))


def ask(request: MemberRequest, benchmark: Benchmark) -> ResultsRequest:
    found, corpora = scorings_of(benchmark), corpora_of(benchmark)
    begun = set(
        Scoring.objects.filter(pk__in=[each.pk for each in found], scores__isnull=False).values_list("pk", flat=True)
    )
    scorings = [each for each in found if each.pk in begun]
    chosen = read_chosen(request.GET, scorings, corpora)
    return ResultsRequest(
        scorings=scorings,
        waiting=[each for each in found if each.pk not in begun],
        names=names_of(found),
        corpora=corpora,
        chosen=chosen,
        report=report_of(benchmark, chosen.scorings, chosen.rule, chosen.corpus) if scorings else None,
    )
