"""FaStfact (Wan et al. 2025, arXiv 2510.12839, section 3): claims of whole chunks of the response, each with the
model's own verdict and confidence. Sure ones are settled so; the others are searched for, and verified by the passages
of all pages found for the response that bear on them most.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from annotate.prompt_sets.templates import read_template
from annotate.prompts.list_answers import read_list
from evaluators.methods.base import (
    SEARCH_PARAMETERS,
    Case,
    Claim,
    Judge,
    Method,
    Outcome,
    Parameter,
    Tools,
    WebResult,
    with_claims,
)
from evaluators.methods.felm_answers import INCOMPLETE
from evaluators.methods.felm_prompts import number_lines
from evaluators.methods.safe import read_verdict
from evaluators.methods.searching import NOTHING_FOUND, count_extracted, majority, results_parameter, show_sources
from knowledge.bm25 import PassageIndex
from knowledge.passages import cut
from knowledge.words import content_words
from llm.answer import Answer
from llm.templates import PromptTemplate
from stats.baselines import NOT_SUPPORTED, SUPPORTED

LINE = re.compile(
    r"\W*(\d{1,6})\W+(\S.*?)\s*[|｜]\s*(true|false|unsure)\W+(\d{1,3}(?:[.,]\d+)?)\s*(%?)\W*", flags=re.IGNORECASE
)
WHOLE = 100  # of the confidence, in per cent


@dataclass(frozen=True)
class ProposedClaim:
    """A claim with the model's own verdict. segment: of the response, from 0. true: None where it is unsure;
    confidence: from 0 to 1. call: the answer that it was read from."""

    text: str
    segment: int
    true: bool | None
    confidence: float
    call: int

    def is_settled(self, parameters: Mapping[str, Any]) -> bool:
        return bool(parameters["settle"]) and self.true is not None and self.confidence >= parameters["confidence"]


def build(parameters: Mapping[str, Any]) -> Judge:
    """Raises PromptError where the prompt set lacks a template."""
    extracting = read_template(parameters["prompts"], "fastfact_claims")
    verifying = read_template(parameters["prompts"], "fastfact_verify")

    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        chunks = chunks_of(case.segments, parameters["chunk"])
        requests = [
            extracting.messages(
                question=case.prompt, segments=number_lines([case.segments[place] for place in chunk], "repaired")
            )
            for chunk in chunks
        ]
        answers = await asyncio.gather(*map(tools.ask, requests))
        read = [read_chunk(answer, chunk) for answer, chunk in zip(answers, chunks, strict=True)]
        proposed = [claim for claims in read for claim in claims or ()]
        unsure = dict.fromkeys(claim.text for claim in proposed if not claim.is_settled(parameters))
        verified = await verify(list(unsure), verifying, parameters, tools)
        claims = [
            settle(claim) if claim.is_settled(parameters) else _found(claim, verified[claim.text]) for claim in proposed
        ]
        unread = {
            place: (answer.call_id,)
            for answer, chunk, found in zip(answers, chunks, read, strict=True)
            if found is None
            for place in chunk
        }
        return with_claims(case, claims, unread)

    return judge


def chunks_of(segments: Sequence[str], size: int) -> list[tuple[int, ...]]:
    """The places of the segments that are not empty, `size` in a chunk."""
    places = [place for place, text in enumerate(segments) if text.strip()]
    return [tuple(places[start : start + size]) for start in range(0, len(places), size)]


def read_chunk(answer: Answer, chunk: Sequence[int]) -> list[ProposedClaim] | None:
    """The claims of a chunk, [] where it says that it has none; None where no line with a bar can be read. A line that
    cannot be read, or names no segment of the chunk, costs its claim alone.

    chunk: the places of its segments in the response; the answer numbers them from 1.
    """
    if answer.finish_reason in INCOMPLETE:
        return None
    claims: dict[tuple[str, int], ProposedClaim] = {}
    for line in answer.text.splitlines():
        claim = read_line(line, chunk, answer.call_id)
        if claim is not None:
            claims.setdefault((claim.text, claim.segment), claim)
    if claims:
        return list(claims.values())
    return [] if read_list(answer.text) == () else None


def read_line(line: str, chunk: Sequence[int], call: int) -> ProposedClaim | None:
    """The confidence is in per cent, or a fraction such as 0.9."""
    match = LINE.fullmatch(line)
    number = int(match[1]) if match else 0
    if match is None or not 1 <= number <= len(chunk):
        return None
    said = float(match[4].replace(",", "."))
    confidence = said if said <= 1 and not match[4].isdigit() and not match[5] else said / WHOLE
    word = match[3].lower()
    true = None if word == "unsure" else word == "true"
    return ProposedClaim(match[2], chunk[number - 1], true, confidence, call) if confidence <= 1 else None


def settle(claim: ProposedClaim) -> Claim:
    """The claim by the model's own verdict; the score is its confidence that the claim is true."""
    value = SUPPORTED if claim.true else NOT_SUPPORTED
    score = claim.confidence if claim.true else 1 - claim.confidence
    rationale = f"settled without a search: {'true' if claim.true else 'false'}, {claim.confidence:.0%} sure"
    return Claim(claim.text, value, score, rationale, (claim.call,), claim.segment)


def _found(proposed: ProposedClaim, verified: Claim) -> Claim:
    return replace(verified, segment=proposed.segment, calls=(proposed.call, *verified.calls))


async def verify(
    claims: Sequence[str], template: PromptTemplate, parameters: Mapping[str, Any], tools: Tools
) -> dict[str, Claim]:
    """Each claim with its verdict by the best passages of all that was found for the response."""
    found = await asyncio.gather(*(tools.web_search(claim, parameters["results"]) for claim in claims))
    sources = dict(zip(claims, found, strict=True))
    pages = list(dict.fromkeys(page for results in found for page in results))
    pieces = [(page, piece) for page in pages for piece in cut(page.text, parameters["passage_words"])]
    index = PassageIndex([piece for _, piece in pieces])

    async def verify_one(claim: str) -> Claim:
        best = index.ranking(sorted(set(content_words(claim))))[: parameters["passages"]]
        shown = "\n\n".join(show_piece(*pieces[place]) for place in best) or NOTHING_FOUND
        messages = template.messages(fact=claim, found=shown)
        answers = await asyncio.gather(*(tools.ask(messages, sample) for sample in range(parameters["samples"])))
        value, score = majority([read_verdict(answer) for answer in answers])
        rationale = f"{show_sources([claim], sources[claim])}\n{answers[0].text}"
        return Claim(claim, value, score, rationale, tuple(answer.call_id for answer in answers))

    return {claim.text: claim for claim in await asyncio.gather(*map(verify_one, claims))}


def show_piece(page: WebResult, piece: str) -> str:
    return f"{page.title}\n{piece}".strip()


def count_calls(case: Case, parameters: Mapping[str, Any]) -> int:
    """As if no claim were sure."""
    return len(chunks_of(case.segments, parameters["chunk"])) + count_extracted(case) * int(parameters["samples"])


def count_searches(case: Case, parameters: Mapping[str, Any]) -> int:
    return count_extracted(case)


METHOD = Method(
    name="fastfact",
    title="FaStfact",
    description="Extracts the claims of whole chunks with the model's own verdicts, settles those that it is sure of, "
    "and verifies the others by the best passages of all pages found for the response. Needs a search engine.",
    build=build,
    needs_model=True,
    needs_search=True,
    prompt="fastfact_claims",
    own_parameters=(
        Parameter("chunk", 8, "Segments whose claims are extracted at once.", minimum=1, maximum=200, label="Chunk"),
        Parameter(
            "confidence",
            0.9,
            "Own confidence from which a claim is settled without a search.",
            minimum=0,
            maximum=1,
            label="Least confidence",
        ),
        Parameter(
            "settle",
            True,
            "Whether claims that the model is sure of are settled without a search.",
            label="Settle what is sure",
        ),
        results_parameter(5),
        replace(next(each for each in SEARCH_PARAMETERS if each.name == "pages"), default=3),
        Parameter("passages", 5, "Passages shown with each claim.", minimum=1, maximum=100, label="Passages"),
        Parameter(
            "passage_words", 150, "Longest passage, in words.", minimum=5, maximum=10_000, label="Words of a passage"
        ),
    ),
    calls=count_calls,
    searches=count_searches,
    answer_tokens=120,
)
