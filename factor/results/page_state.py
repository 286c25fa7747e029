"""The state of the results page, read from the query string, and the scorings and the report that go with it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict

from annotate.access import MemberRequest
from factor.models import Benchmark, Scoring
from factor.results.cached import report_of
from factor.results.corpus import Corpus, corpora_of
from factor.results.names import names_of
from factor.results.report_types import FactorReport
from stats.factor import RULES

SORTED_BY = "mean"
# By name: title, help, and whether a first click asks for the smallest first.
COLUMNS = {
    "name": ("Scoring", "", True),
    "parameters": ("Parameters", "Number of parameters", True),
    "mean": ("Mean", "Accuracy by the mean log-probability of a completion's tokens: FACTOR's own rule", False),
    "sum": ("Sum", "Accuracy by the sum of the log-probabilities, which favours short completions", False),
    "differing": ("Differing tokens", "Accuracy by the mean over the tokens that tell two completions apart", False),
    "pairs": (
        "Pairs",
        "Of the pairs of a true and a false completion, the share in which the true one is higher",
        False,
    ),
    "n": ("Examples", "Examples with a decision, of those that the scoring was to score", False),
    "ties": ("Ties", "Examples in which a false completion has the same score: never right", True),
    "missing": ("Missing", "Examples in which a completion has no score: never right", True),
}


@dataclass(frozen=True)
class ResultsState:
    """scorings: the ticked ones, all where none is. rule: one of RULES. corpus: whose perplexities are shown, or None.

    order: a column of the table, after a minus falling. every_pair: whether the table of pairs is shown however large.
    """

    scorings: Sequence[Scoring]
    rule: str
    corpus: Corpus | None
    order: str
    every_pair: bool

    @property
    def rule_title(self) -> str:
        return RULES[self.rule]

    @property
    def keys(self) -> set[int]:
        return {each.pk for each in self.scorings}


def read_state(query: QueryDict, scorings: Sequence[Scoring], corpora: Sequence[Corpus]) -> ResultsState:
    """The state in the link; by default all scorings, equation 1, the corpus of most models, the best first."""
    named = set(query.getlist("scoring"))
    rule, order = query.get("rule", ""), query.get("sort", f"-{SORTED_BY}")
    return ResultsState(
        scorings=[each for each in scorings if str(each.pk) in named] or scorings,
        rule=rule if rule in RULES else next(iter(RULES)),
        corpus=next((each for each in corpora if each.key == query.get("corpus")), next(iter(corpora), None)),
        order=order if order.removeprefix("-") in COLUMNS else f"-{SORTED_BY}",
        every_pair=query.get("pairs") == "all",
    )


@dataclass(frozen=True)
class ResultsRequest:
    """scorings: all of the benchmark with scores; names: by their keys. waiting: scorings without a score yet. report:
    None without scorings."""

    scorings: list[Scoring]
    waiting: list[Scoring]
    names: dict[int, str]
    corpora: list[Corpus]
    state: ResultsState
    report: FactorReport | None

    @property
    def unfinished(self) -> list[Scoring]:
        return [each for each in self.state.scorings if each.state != Scoring.State.FINISHED]


def scorings_of(benchmark: Benchmark) -> list[Scoring]:
    """From the smallest model of a family to the largest, plain ones first."""
    scorings = benchmark.scorings.select_related("model", "source", "benchmark__dataset")
    return list(scorings.order_by("model__family", "model__parameters", "model__name", "-with_prefix", "source", "pk"))


def read_request(request: MemberRequest, benchmark: Benchmark) -> ResultsRequest:
    every, corpora = scorings_of(benchmark), corpora_of(benchmark)
    begun = set(
        Scoring.objects.filter(pk__in=[each.pk for each in every], scores__isnull=False).values_list("pk", flat=True)
    )
    scorings = [each for each in every if each.pk in begun]
    state = read_state(request.GET, scorings, corpora)
    return ResultsRequest(
        scorings=scorings,
        waiting=[each for each in every if each.pk not in begun],
        names=names_of(every),
        corpora=corpora,
        state=state,
        report=report_of(benchmark, state.scorings, state.rule, state.corpus) if scorings else None,
    )
