"""Two judges as one that calls a fact supported only if both do (FActScore §4.1: retrieve→LM + NP)."""

import asyncio

from evaluators.methods.base import Case, Judge, Judgement, Outcome, Skip, Tools
from stats.baselines import NOT_SUPPORTED, SUPPORTED


def supported_by_both(first: Judge, second: Judge) -> Judge:
    """What either skips is skipped. What one could not parse is unparsed, unless the other does not support it."""

    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        ones, others = await asyncio.gather(first(case, tools), second(case, tools))
        of_second = {outcome.unit: outcome for outcome in others}
        return [combine(outcome, of_second[outcome.unit]) for outcome in ones]

    return judge


def combine(one: Outcome, other: Outcome) -> Outcome:
    """The score is the lower of the two: it is high exactly where both are."""
    if isinstance(one, Skip):
        return one
    if isinstance(other, Skip):
        return other
    values, scores = (one.value, other.value), (one.score, other.score)
    known = [score for score in scores if score is not None]
    return Judgement(
        one.unit,
        _both(values),
        min(known) if len(known) == len(scores) else None,
        f"{one.rationale} | {other.rationale}",
        (*one.calls, *other.calls),
    )


def _both(values: tuple[str | None, str | None]) -> str | None:
    if all(value == SUPPORTED for value in values):
        return SUPPORTED
    return NOT_SUPPORTED if any(value not in (SUPPORTED, None) for value in values) else None
