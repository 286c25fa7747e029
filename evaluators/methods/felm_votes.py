"""The votes of the samples on a segment."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluators.methods.base import Judgement, Unit
from evaluators.methods.felm_prompts import Lines
from evaluators.methods.felm_scores import chance_unnamed
from llm.answer import Answer
from stats.baselines import NOT_SUPPORTED, SUPPORTED


@dataclass(frozen=True)
class Listing:
    """One list as it was judged. readings: of each answer the places of the lines that it flags, or None where it
    could not be parsed."""

    lines: Lines
    answers: Sequence[Answer]
    readings: Sequence[frozenset[int] | None]

    def votes(self, segment: int) -> list[bool]:
        """Of each answer that could be parsed, whether it flags any line of the segment.

        See docs/statistics.md, Error detection.
        """
        places = self.places(segment)
        return [not places.isdisjoint(flagged) for flagged in self.readings if flagged is not None]

    def places(self, segment: int) -> set[int]:
        """Of the segment's lines, from 0."""
        return {place for place, line in enumerate(self.lines) if line.segment == segment}


def count_votes(unit: Unit, listing: Listing) -> Judgement:
    """The majority of the samples that could be parsed; a tie takes the first of them, as the published code does.

    Unparsed only where no sample could be parsed. Of several samples the score is the share that found no error; of a
    single one the probability that none was named, where log-probabilities came with it.
    """
    answers = listing.answers
    calls = tuple(answer.call_id for answer in answers)
    votes = listing.votes(unit.segment)
    if not votes:
        return Judgement(unit, None, rationale=answers[0].text, calls=calls)
    errors = sum(votes)
    is_error = votes[0] if 2 * errors == len(votes) else 2 * errors > len(votes)
    value = NOT_SUPPORTED if is_error else SUPPORTED
    if len(answers) == 1:
        score = chance_unnamed(answers[0], listing.places(unit.segment), len(listing.lines))
        return Judgement(unit, value, score, answers[0].text, calls)
    rationale = f"an error in {errors} of {len(votes)} parsed answers, {len(answers) - len(votes)} not parsed"
    return Judgement(unit, value, 1 - errors / len(votes), rationale, calls)
