"""The state of the comparison page, read from the query string, and the dataset, runs and gold of a request."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.http import Http404, QueryDict
from django.utils.dateparse import parse_datetime

from annotate.access import MemberRequest
from annotate.models import Dataset, GoldLabel, GoldVersion
from core.errors import DataError
from evaluators.comparison.figures import FIGURE_TITLES
from evaluators.comparison.judges import TRIVIAL
from evaluators.comparison.levels import LEVELS, level_title, responses_by_level
from evaluators.comparison.question import EVERY_PAIR, LEADER, ComparisonQuestion
from evaluators.comparison.slices import Slicing, names_used, slicings
from evaluators.comparison.study import find_version, table_of
from evaluators.models import Run
from evaluators.predictions.read import latest_runs
from stats.f1_at_k import KChoice, parse_k

# A cell of the confusion table: the value in gold, and the evaluator's answer.
TRUTHS = ("error", "correct")
ANSWERS = ("error", "correct", "unparsed", "missing")
NO_GOLD = "There is no gold to compare with."


@dataclass(frozen=True)
class ComparisonState:
    """evaluators: the ticked ones, in the order of their names; the trivial baselines are there besides.

    by: the slicing in use; slices: those of its slices that are ticked, none for all units. opened: the evaluator and
    the slice ("" for all that is ticked) whose confusion table is open, or None. every_pair: whether every pair of
    evaluators is tested, and their table shown.
    """

    evaluators: tuple[str, ...]
    level: str
    by: Slicing
    slices: tuple[str, ...]
    figure: str
    opened: tuple[str, str] | None
    every_pair: bool
    scheme: str = ""

    @property
    def question(self) -> ComparisonQuestion:
        family = EVERY_PAIR if self.every_pair else LEADER
        return ComparisonQuestion(self.level, self.by.name, self.evaluators, self.slices, self.figure, family)

    @property
    def figure_title(self) -> str:
        return FIGURE_TITLES[self.figure]

    @property
    def level_title(self) -> str:
        return level_title(self.level, self.scheme)

    @property
    def all_slices(self) -> Sequence[str]:
        """The slices of the slicing that hold a unit of the level."""
        return names_used(self.by, self.level)

    @property
    def shown_slices(self) -> Sequence[str]:
        """The columns of the grid: those ticked, or all."""
        return self.slices or self.all_slices


def read_comparison_state(
    query: QueryDict, known: Sequence[str], levels: Sequence[str], slicings: Mapping[str, Slicing], scheme: str = ""
) -> ComparisonState:
    """The state in the link where it is there; else all evaluators, the smallest units, all of them, and F1. A slicing
    in which nothing but recall is defined is shown by recall."""
    named = set(query.getlist("evaluator"))
    evaluators = tuple(name for name in known if name in named) or tuple(known)
    level = _one_of(levels, query.get("level"))
    possible = {name: slicing for name, slicing in slicings.items() if level in slicing.of}
    by = possible[_one_of(list(possible), query.get("by"))]
    slices = tuple(name for name in names_used(by, level) if name in set(query.getlist("slice")))
    figure = _one_of(list(FIGURE_TITLES), query.get("figure"))
    if by.only_recall:
        figure = "recall"
    opened = (str(query["open"]), query.get("at", "")) if "open" in query else None
    return ComparisonState(evaluators, level, by, slices, figure, opened, query.get("pairs") == "all", scheme)


@dataclass(frozen=True)
class ComparisonRequest:
    """A request for the comparison, a chart of it, or the units in a cell, read and checked.

    known: all evaluators; slicings: names and titles at the level. gone: what the link names and is not there any more,
    in words. since: as of `comparison_of`.
    """

    dataset: Dataset
    version: GoldVersion | None
    state: ComparisonState
    runs: list[Run]
    known: list[str]
    levels: list[str]
    slicings: list[tuple[str, str]]
    domains: list[str]
    gone: list[str]
    since: datetime | None


def has_gold(dataset: Dataset) -> bool:
    return GoldLabel.objects.of(dataset).current().exists()


def read_request(request: MemberRequest, dataset: Dataset) -> ComparisonRequest:
    """Http404: there is no gold, so there is nothing to compare with."""
    if not has_gold(dataset):
        raise Http404(NO_GOLD)
    return comparison_asked(dataset, requested_version(request, dataset), request.GET)


def comparison_asked(dataset: Dataset, version: GoldVersion | None, query: QueryDict) -> ComparisonRequest:
    """The comparison that the query of its page asks for. The dataset has gold."""
    table, runs = table_of(dataset, version), latest_runs(dataset)
    parted = slicings(table)
    levels = [level for level in LEVELS if level in responses_by_level(table)]
    known = [run.evaluator.name for run in runs if run.evaluator.method not in TRIVIAL]
    state = read_comparison_state(query, known, levels, parted, dataset.scheme)
    named = [(name, slicing.title) for name, slicing in parted.items() if state.level in slicing.of]
    domains = [name for name in dict.fromkeys(table.prompts.domain.tolist()) if name]
    gone = _gone(query, known, state)
    return ComparisonRequest(dataset, version, state, runs, known, levels, named, domains, gone, read_since(query))


def _gone(query: QueryDict, known: Sequence[str], state: ComparisonState) -> list[str]:
    """Evaluators and slices of the link that are not there, in words."""
    slices = dict.fromkeys(name for key in ("slice", "at") for name in query.getlist(key) if name)
    return [
        *gone_evaluators(query, known, ("evaluator", "open", "of", "one", "other")),
        *(f"the slice “{name}”" for name in slices if name not in state.all_slices),
    ]


def gone_evaluators(query: QueryDict, known: Collection[str], keys: Sequence[str]) -> list[str]:
    """The evaluators that a link names under these keys and that are not there, in words: deleted, archived or renamed
    since it was saved. known: the names that are there, besides the trivial baselines."""
    names = dict.fromkeys(name for key in keys for name in query.getlist(key) if name)
    return [f"the evaluator “{name}”" for name in names if name not in known and name not in TRIVIAL]


def requested_version(request: MemberRequest, dataset: Dataset) -> GoldVersion | None:
    """The frozen gold that `?gold=` names, None for gold in force; Http404: there is no such version."""
    try:
        return find_version(dataset, request.GET.get("gold", ""))
    except DataError as error:
        raise Http404(str(error)) from error


def read_since(query: QueryDict) -> datetime | None:
    """?since=: when the figures were asked for; None where it is no such time."""
    try:
        since = parse_datetime(query.get("since", ""))
    except ValueError:
        return None
    return since if since and since.tzinfo else None


def read_k(query: QueryDict) -> KChoice:
    """?k=: a number, `median`, or `domain`, which nothing at all means too. Http404: it is none that K may be."""
    try:
        return parse_k(query.get("k", "").strip())
    except ValueError as error:
        raise Http404(f"K: {error}.") from None


def _one_of(known: Sequence[str], wanted: str | None) -> str:
    return wanted if wanted is not None and wanted in known else known[0]
