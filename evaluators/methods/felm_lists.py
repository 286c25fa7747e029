"""Judging a response by lists: its segments, or the claims extracted from them, as few lists as the context allows."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotate.prompt_sets.templates import read_by_domain
from evaluators.methods.base import NO_CLAIM, Case, Claim, Judgement, Outcome, Skip, Tools, Unit
from evaluators.methods.felm_answers import VICUNA, read_answer
from evaluators.methods.felm_claims import PROMPT as CLAIMS_PROMPT
from evaluators.methods.felm_claims import Claims, extract_claims
from evaluators.methods.felm_prompts import Lines, ListPrompt, NumberedLine, read_line_breaks
from evaluators.methods.felm_votes import Listing, count_votes
from evaluators.methods.parameters import layout_of
from stats.baselines import SUPPORTED

TOO_LONG = "longer than the context"
# Extraction lays its list out alike under every profile, so that all of them share its answer.
CLAIMS_LAYOUT = "repaired"

# As many as every kind of endpoint gives.
ALTERNATIVES = 5


@dataclass(frozen=True)
class ListJudge:
    """Judges a case beside references, which are fields of the template.

    listing: shows what is judged. extraction: shows the segments whose claims that is; None: the segments are judged
    themselves. thought: whether answers begin with a chain of thought.
    """

    listing: ListPrompt
    extraction: ListPrompt | None
    thought: bool
    parameters: Mapping[str, Any]

    async def judge(self, case: Case, references: Mapping[str, str], tools: Tools) -> list[Outcome]:
        if self.extraction is None:
            lists = await self._judge_lists(case, unit_lines(case), references, tools)
            items = zip(case.units, items_of(case), strict=True)
            return [judge_item(unit, item, lists) for unit, item in items]
        groups = segment_lines(case)
        most, profile = self.parameters["claim_tokens"], self.parameters["profile"]
        claims = await extract_claims(case, groups, self.extraction, most, profile, tools)
        lists = await self._judge_lists(case, claim_lines(case, claims), references, tools)
        units = sorted(case.units, key=place_of)
        own = [claim for unit in units for claim in judge_claims(unit, claims, lists)]
        return [*(judge_claimed(unit, claims, lists) for unit in case.units), *own]

    async def _judge_lists(
        self, case: Case, groups: Sequence[Lines], references: Mapping[str, str], tools: Tools
    ) -> list[Listing]:
        parts = self.listing.parts(case, groups, references)
        return list(await asyncio.gather(*(self._judge_list(case, lines, references, tools) for lines in parts)))

    async def _judge_list(self, case: Case, lines: Lines, references: Mapping[str, str], tools: Tools) -> Listing:
        messages = self.listing.messages(case, lines, references)
        wanted = {"logprobs": True, "top_logprobs": ALTERNATIVES} if self.parameters["logprobs"] else {}
        samples = range(self.parameters["samples"])
        answers = await asyncio.gather(*(tools.ask(messages, sample, **wanted) for sample in samples))
        profile = self.parameters["profile"]
        # The published code reads votes as a chat's, whoever gave them.
        vicuna = self.parameters.get("reader") == VICUNA and self.parameters["samples"] == 1
        flagged = [read_answer(answer, len(lines), profile, self.thought, vicuna) for answer in answers]
        return Listing(lines, answers, flagged)


def build_list_judge(prompt: str, by_claims: bool, thought: bool, parameters: Mapping[str, Any]) -> ListJudge:
    """prompt: the name of the template. Raises PromptError where the prompt set lacks one."""
    prompts, context = parameters["prompts"], parameters["context"]
    templates, room = read_by_domain(prompts, prompt), context - parameters["max_tokens"]
    layout, ending = layout_of(parameters), read_line_breaks(parameters.get("ending", ""))
    if not by_claims:
        return ListJudge(ListPrompt(templates, "segments", layout, room, ending), None, thought, parameters)
    return ListJudge(
        ListPrompt(templates, "claims", layout, room, ending),
        ListPrompt(
            read_by_domain(prompts, CLAIMS_PROMPT), "segments", CLAIMS_LAYOUT, context - parameters["claim_tokens"]
        ),
        thought,
        parameters,
    )


def segment_lines(case: Case) -> list[Lines]:
    return [(NumberedLine(place, text),) for place, text in enumerate(case.segments)]


def unit_lines(case: Case) -> list[Lines]:
    """All segments of the response, units or not, as in the paper; of facts the units, in reading order."""
    if case.units[0].fact is None:
        return segment_lines(case)
    return [(NumberedLine(number, unit.text),) for number, unit in enumerate(sorted(case.units, key=place_of))]


def place_of(unit: Unit) -> tuple[int, int]:
    return unit.segment, -1 if unit.fact is None else unit.fact


def items_of(case: Case) -> list[int]:
    """Of each unit the number of its segment; of a fact its own number among the units in reading order."""
    if case.units[0].fact is None:
        return [unit.segment for unit in case.units]
    numbers = {place: number for number, place in enumerate(sorted(map(place_of, case.units)))}
    return [numbers[place_of(unit)] for unit in case.units]


def claim_lines(case: Case, claims: Claims) -> list[Lines]:
    return [
        tuple(NumberedLine(place, claim) for claim in claims.of.get(place, ())) for place in range(len(case.segments))
    ]


def judge_item(unit: Unit, item: int, lists: Sequence[Listing]) -> Outcome:
    """The outcome by the votes on the list with the item's lines; skipped where it is in none."""
    listing = find_list(item, lists)
    return Skip(unit, TOO_LONG) if listing is None else count_votes(unit, listing.places(item), listing)


def find_list(item: int, lists: Sequence[Listing]) -> Listing | None:
    """The list with the item's lines, which stand in one; None where they are in none."""
    return next((listing for listing in lists if listing.places(item)), None)


def judge_claimed(unit: Unit, claims: Claims, lists: Sequence[Listing]) -> Outcome:
    """An error where any claim of the segment is one (docs/statistics.md, Error detection), so none where it has no
    claim; unparsed where its claims could not be read."""
    if unit.segment in claims.too_long:
        return Skip(unit, TOO_LONG)
    if unit.segment not in claims.of:
        return Judgement(unit, None, rationale=claims.answer, calls=claims.calls)
    if not claims.of[unit.segment]:
        return Judgement(unit, SUPPORTED, rationale=NO_CLAIM, calls=claims.calls)
    outcome = judge_item(unit, unit.segment, lists)
    return replace(outcome, calls=claims.calls + outcome.calls) if isinstance(outcome, Judgement) else outcome


def judge_claims(unit: Unit, claims: Claims, lists: Sequence[Listing]) -> list[Claim]:
    """The claims of the segment in their order, each by the votes on it alone. Those that no call has room for have no
    verdict."""
    texts, listing = claims.of.get(unit.segment, ()), find_list(unit.segment, lists)
    if listing is None:
        return [Claim(text, None, rationale=TOO_LONG, calls=claims.calls, segment=unit.segment) for text in texts]
    votes = [count_votes(unit, {place}, listing) for place in sorted(listing.places(unit.segment))]
    return [
        Claim(text, of.value, of.score, of.rationale, claims.calls + of.calls, unit.segment)
        for text, of in zip(texts, votes, strict=True)
    ]
