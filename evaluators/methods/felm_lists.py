"""Judging a response by lists: its segments, or the claims extracted from them, as few lists as the context allows."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from evaluators.methods.base import Case, Judgement, Outcome, Skip, Tools, Unit
from evaluators.methods.felm_answers import read_answer
from evaluators.methods.felm_claims import PROMPT as CLAIMS_PROMPT
from evaluators.methods.felm_claims import Claims, extract_claims
from evaluators.methods.felm_prompts import Line, Lines, ListPrompt, read_templates
from evaluators.methods.felm_votes import Listing, count_votes
from evaluators.methods.parameters import layout_of
from evaluators.metrics.baselines import SUPPORTED

TOO_LONG = "longer than the context"
NO_CLAIM = "no claim"
# Extraction lays its list out alike under every profile, so that all of them share its answer.
CLAIMS_LAYOUT = "repaired"

# As many as every kind of endpoint gives.
ALTERNATIVES = 5

ListJudge = Callable[[Case, Mapping[str, str], Tools], Awaitable[list[Outcome]]]
"""Judges a case beside references, which are fields of the template."""


def build_list_judge(prompt: str, by_claims: bool, thought: bool, parameters: Mapping[str, Any]) -> ListJudge:
    """prompt: the name of the template. thought: whether the answer begins with a chain of thought.

    Raises PromptError where the prompt set lacks a template.
    """
    profile: str = parameters["profile"]
    context: int = parameters["context"]
    listing = ListPrompt(
        read_templates(parameters["prompts"], prompt),
        "claims" if by_claims else "segments",
        layout_of(parameters),
        context - parameters["max_tokens"],
    )

    probabilities = {"logprobs": True, "top_logprobs": ALTERNATIVES} if parameters["logprobs"] else {}

    async def judge_segments(case: Case, references: Mapping[str, str], tools: Tools) -> list[Outcome]:
        lists = await judge_lists(case, segment_lines(case), references, tools)
        return [judge_segment(unit, lists) for unit in case.units]

    async def judge_lists(
        case: Case, groups: Sequence[Lines], references: Mapping[str, str], tools: Tools
    ) -> list[Listing]:
        parts = listing.parts(case, groups, references)
        return list(await asyncio.gather(*(judge_list(case, lines, references, tools) for lines in parts)))

    async def judge_list(case: Case, lines: Lines, references: Mapping[str, str], tools: Tools) -> Listing:
        messages = listing.messages(case, lines, references)
        asked = (tools.ask(messages, sample, **probabilities) for sample in range(parameters["samples"]))
        answers = await asyncio.gather(*asked)
        return Listing(lines, answers, [read_answer(answer, len(lines), profile, thought) for answer in answers])

    if not by_claims:
        return judge_segments

    extraction = ListPrompt(
        read_templates(parameters["prompts"], CLAIMS_PROMPT),
        "segments",
        CLAIMS_LAYOUT,
        context - parameters["claim_tokens"],
    )

    async def judge_claims(case: Case, references: Mapping[str, str], tools: Tools) -> list[Outcome]:
        claims = await extract_claims(case, segment_lines(case), extraction, parameters["claim_tokens"], profile, tools)
        lists = await judge_lists(case, claim_lines(case, claims), references, tools)
        return [judge_claimed(unit, claims, lists) for unit in case.units]

    return judge_claims


def segment_lines(case: Case) -> list[Lines]:
    return [(Line(place, text),) for place, text in enumerate(case.segments)]


def claim_lines(case: Case, claims: Claims) -> list[Lines]:
    return [tuple(Line(place, claim) for claim in claims.of.get(place, ())) for place in range(len(case.segments))]


def judge_segment(unit: Unit, lists: Sequence[Listing]) -> Outcome:
    """By the votes on the list that the segment is in; skipped where it is in none."""
    for listing in lists:
        if any(line.segment == unit.segment for line in listing.lines):
            return count_votes(unit, listing)
    return Skip(unit, TOO_LONG)


def judge_claimed(unit: Unit, claims: Claims, lists: Sequence[Listing]) -> Outcome:
    """An error where any claim of the segment is one (definitions.md §2), so none where it has no claim; unparsed where
    its claims could not be read."""
    if unit.segment in claims.too_long:
        return Skip(unit, TOO_LONG)
    if unit.segment not in claims.of:
        return Judgement(unit, None, rationale=claims.said, calls=claims.calls)
    if not claims.of[unit.segment]:
        return Judgement(unit, SUPPORTED, rationale=NO_CLAIM, calls=claims.calls)
    outcome = judge_segment(unit, lists)
    return replace(outcome, calls=claims.calls + outcome.calls) if isinstance(outcome, Judgement) else outcome
