"""What the results page is asked for: its whole state, read from the query string."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict

from factor.metrics.outcomes import RULES
from factor.models import Scoring
from factor.results.corpus import Corpus


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


def read_chosen(query: QueryDict, scorings: Sequence[Scoring], corpora: Sequence[Corpus]) -> ResultsState:
    """What the link asks for where it is there; else all scorings, equation 1, the corpus of most models, the best
    first."""
    named = set(query.getlist("scoring"))
    rule, order = query.get("rule", ""), query.get("sort", f"-{SORTED_BY}")
    return ResultsState(
        scorings=[each for each in scorings if str(each.pk) in named] or scorings,
        rule=rule if rule in RULES else next(iter(RULES)),
        corpus=next((each for each in corpora if each.key == query.get("corpus")), next(iter(corpora), None)),
        order=order if order.removeprefix("-") in COLUMNS else f"-{SORTED_BY}",
        every_pair=query.get("pairs") == "all",
    )


SORTED_BY = "mean"
# By name: title, help, and whether a first click asks for the smallest first.
COLUMNS = {
    "name": ("Scoring", "", True),
    "parameters": ("Parameters", "How many the model has", True),
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
