"""The sentences on evaluators that pages print: the verdict of a comparison in one line and three, and what it says of
the trivial baseline. The gold audit prints the last one too, so that the two pages cannot contradict each other."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotate.templatetags.amounts import domain_name, signed
from annotate.templatetags.figures import rate
from evaluators.comparison.evaluator_rows import EvaluatorRow
from evaluators.comparison.page_state import ComparisonState
from evaluators.comparison.verdict_text import ComparisonVerdict, EvaluatorPair

EVERYTHING = "calling everything an error"
NO_RANK = "No evaluator is ranked."
MOST_NAMES = 4


@dataclass(frozen=True)
class VerdictNote:
    """A bullet below the verdict. mark: "Significant", "Not significant" or "Not ranked"."""

    mark: str
    text: str

    @property
    def sure(self) -> bool:
        return self.mark == "Significant"


def headline_of(verdict: ComparisonVerdict, state: ComparisonState) -> str:
    """The verdict in one line."""
    if verdict.trivially_high:
        why = (
            f"{EVERYTHING} has a recall of 1"
            if state.figure == "recall"
            else "a single right alarm has a precision of 1"
        )
        return f"{state.figure_title} alone gives no best evaluator: {why}."
    if not verdict.best:
        return NO_RANK
    have = "has" if len(verdict.best) == 1 else "have"
    where = f" in {', '.join(domain_name(name) for name in state.slices)}" if state.slices else ""
    return f"{', '.join(verdict.best)} {have} the highest {state.figure_title}{where}. {_against_others(verdict)}"


def _against_others(verdict: ComparisonVerdict) -> str:
    worse, unsure = verdict.worse, verdict.open
    if not worse and not unsure:
        return "No other evaluator."
    if not unsure:
        others = "the other evaluator" if len(worse) == 1 else f"each of the {len(worse)} others"
        return f"Significant: better than {others}."
    if not worse:
        return "Not significant against any other evaluator."
    return f"Significantly better than {_names(worse)}; no significant difference from {_names(unsure)}."


def notes_of(
    verdict: ComparisonVerdict, pairs: Sequence[EvaluatorPair], noise_unmeasured: Sequence[EvaluatorRow]
) -> list[VerdictNote]:
    """At most three bullets: the closest other evaluator, the trivial baseline, and what the figures leave out.

    pairs: those in sentences (pairs_in_sentences).
    """
    notes = [pair_note(pair) for pair in _closest(verdict, pairs)]
    if verdict.ranked:
        below = verdict.no_better_than_all_errors
        said = trivial_sentence(verdict.ranked, below)
        notes.append(VerdictNote("Not significant" if below else "Significant", said))
    if verdict.unranked:
        notes.append(VerdictNote("Not ranked", f"{_names([line.name for line in verdict.unranked])}. Reasons below."))
    elif noise_unmeasured:
        notes.append(VerdictNote("Not measured", "Noise between runs: one run each. Intervals cover prompts alone."))
    return notes[:3]


def pair_note(pair: EvaluatorPair) -> VerdictNote:
    ends = f", 95 % {signed(pair.interval[0])} to {signed(pair.interval[1])}" if pair.interval else ""
    figures = f"difference {rate(pair.difference)}{ends}, {pair.p_text}"
    if pair.sure:
        return VerdictNote("Significant", f"{pair.first} is better than {pair.second}: {figures}.")
    return VerdictNote("Not significant", f"{pair.first} and {pair.second} do not differ significantly: {figures}.")


def trivial_sentence(ranked: int, below: Sequence[str]) -> str:
    """What is said of the judge that calls everything an error. ranked: how many evaluators have a rank; below: those
    of them that are not surely better."""
    if not ranked:
        return NO_RANK
    if not below:
        return f"Every ranked evaluator is better than {EVERYTHING}."
    return f"Not significantly better than {EVERYTHING}: {_names(below, len(below))}."


def _closest(verdict: ComparisonVerdict, pairs: Sequence[EvaluatorPair]) -> list[EvaluatorPair]:
    """The pair of the first evaluator with the one that is nearest to it by the difference."""
    of_first = [pair for pair in pairs if pair.first in verdict.best and pair.difference is not None]
    return sorted(of_first, key=lambda pair: pair.difference or 0.0)[:1]


def _names(names: Sequence[str], most: int = MOST_NAMES) -> str:
    """The names; of many the first, and how many more there are."""
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown
