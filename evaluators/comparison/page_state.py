"""What the comparison page is asked for: its whole state, read from the query string."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict

from evaluators.comparison.leaderboard import LEVELS
from evaluators.comparison.question import Question
from evaluators.comparison.slices import Slicing, names_used
from stats.detection import HEADLINES, METRICS

# Titles by name, the headlines first.
FIGURES = {name: METRICS[name].title for name in dict.fromkeys((*HEADLINES, *METRICS))}
# A cell of the confusion table: what gold says, and what the evaluator said.
TRUTHS = ("error", "correct")
SAID = ("error", "correct", "unparsed", "missing")


@dataclass(frozen=True)
class Chosen:
    """evaluators: the ticked ones, in the order of their names; the trivial baselines are there besides.

    by: the slicing in use; slices: those of its slices that are ticked, none for all units. opened: the evaluator and
    the slice ("" for all that is ticked) whose confusion table is open, or None. every_pair: whether the table of pairs
    is shown however large it is.
    """

    evaluators: tuple[str, ...]
    level: str
    by: Slicing
    slices: tuple[str, ...]
    figure: str
    opened: tuple[str, str] | None
    every_pair: bool

    @property
    def question(self) -> Question:
        return Question(self.level, self.by.name, self.evaluators, self.slices, self.figure)

    @property
    def figure_title(self) -> str:
        return FIGURES[self.figure]

    @property
    def level_title(self) -> str:
        return LEVELS[self.level]

    @property
    def all_slices(self) -> Sequence[str]:
        """Those of the slicing that hold a unit of the level."""
        return names_used(self.by, self.level)

    @property
    def shown_slices(self) -> Sequence[str]:
        """The columns of the grid: those ticked, or all."""
        return self.slices or self.all_slices


def read_chosen(
    query: QueryDict, known: Sequence[str], levels: Sequence[str], slicings: Mapping[str, Slicing]
) -> Chosen:
    """What the link asks for where it is there; else all evaluators, the smallest units, all of them, and F1. A slicing
    in which nothing but recall is defined is shown by recall."""
    named = set(query.getlist("evaluator"))
    evaluators = tuple(name for name in known if name in named) or tuple(known)
    level = _one_of(levels, query.get("level"))
    possible = {name: slicing for name, slicing in slicings.items() if level in slicing.of}
    by = possible[_one_of(list(possible), query.get("by"))]
    slices = tuple(name for name in names_used(by, level) if name in set(query.getlist("slice")))
    figure = _one_of(list(FIGURES), query.get("figure"))
    if by.only_recall:
        figure = "recall"
    opened = (str(query["open"]), query.get("at", "")) if "open" in query else None
    return Chosen(evaluators, level, by, slices, figure, opened, query.get("pairs") == "all")


def _one_of(known: Sequence[str], wanted: str | None) -> str:
    return wanted if wanted is not None and wanted in known else known[0]
