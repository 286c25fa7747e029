"""FELM's claims: the segments of a response in one call, answered with the atomic claims of each (paper table 5).

The request depends on the response, the model and the prompt set only. So every claim-based method, with any
prompting, samples and profile, judges the same claims, and they are paid for once.
"""

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from annotate.prompts.list_answers import is_next_question, read_list
from evaluators.methods.base import Case, Tools
from evaluators.methods.felm_answers import INCOMPLETE
from evaluators.methods.felm_prompts import Lines, ListPrompt
from llm.answer import Answer

PROMPT = "felm_claims"
GREEDY = 0.0
PAPER_HEADING = re.compile(r"Segment ([0-9]{1,9}):")
PAPER_CLAIM = re.compile(r"Claim [0-9]+\. (\S.*)")
DECORATION = re.compile(r"[*_`#]+")
HEADING = re.compile(r"(?:[-•–] +)?segment *([0-9]{1,9})\b *[:.)-]?(.*)", flags=re.IGNORECASE)

BySegment = dict[int, tuple[str, ...]]


@dataclass(frozen=True)
class Claims:
    """of: the claims of each segment, maybe none; a segment whose claims could not be read has no entry.
    too_long: segments that no call has room for. calls and answer: the source of the claims."""

    of: Mapping[int, tuple[str, ...]]
    too_long: frozenset[int]
    calls: tuple[int, ...]
    answer: str


async def extract_claims(
    case: Case, groups: list[Lines], prompt: ListPrompt, max_tokens: int, profile: str, tools: Tools
) -> Claims:
    """The claims of the segments, which are in groups of one line each."""
    parts = prompt.parts(case, groups, {})
    requests = [prompt.messages(case, lines, {}) for lines in parts]
    answers = await asyncio.gather(
        *(tools.ask(messages, temperature=GREEDY, max_tokens=max_tokens) for messages in requests)
    )
    claims_by_segment = {
        lines[place].item: claims
        for lines, answer in zip(parts, answers, strict=True)
        for place, claims in read_claims(answer, len(lines), profile).items()
    }
    requested = {line.item for lines in parts for line in lines}
    return Claims(
        claims_by_segment,
        frozenset(line.item for lines in groups for line in lines if line.item not in requested),
        tuple(answer.call_id for answer in answers),
        "\n".join(answer.text for answer in answers),
    )


def read_claims(answer: Answer, segments: int, profile: str) -> BySegment:
    """The claims of each segment, counted from 0, that the answer has an entry for. One that was cut off has lost
    claims and says nothing. The released code has no extraction of claims: it reads them as the paper shows them."""
    if answer.finish_reason in INCOMPLETE:
        return {}
    return PARSERS[profile](answer.text, segments)


def parse_paper(text: str, segments: int) -> BySegment:
    """The format that the paper's prompt shows (table 5) and nothing else; {} where it is anything else."""
    claims: dict[int, list[str]] = {}
    below: list[str] | None = None
    for line in filter(None, map(str.strip, text.strip().removeprefix("Answer:").splitlines())):
        if heading := PAPER_HEADING.fullmatch(line):
            number = int(heading[1])
            if not 1 <= number <= segments or number - 1 in claims:
                return {}
            below = claims[number - 1] = []
        elif below is not None and (claim := PAPER_CLAIM.fullmatch(line)):
            below.append(claim[1])
        else:
            return {}
    return {place: tuple(texts) for place, texts in claims.items()}


def parse_repaired(text: str, segments: int) -> BySegment:
    """The paper's format with the liberties that do not change its meaning.

    Emphasis is passed over, so are words before the first heading, a segment said again after its number, and prose
    among claims; claims are whatever is marked as a list; under a single segment the heading may be missing. A segment
    under which there is prose and no claim is not read, unless it says that there is none. A number that no segment
    has, or that comes twice, makes the whole unreadable.
    """
    below: dict[int, list[str]] = {0: []} if segments == 1 else {}
    last = 0 if segments == 1 else None
    headed: set[int] = set()
    for line in filter(str.strip, text.splitlines()):
        if headed and is_next_question(line):
            break
        if heading := HEADING.fullmatch(DECORATION.sub("", line).strip()):
            last = int(heading[1]) - 1
            if not 0 <= last < segments or last in headed:
                return {}
            headed.add(last)
            below[last] = [heading[2].strip()] if heading[2].strip() else []
        elif last is not None:
            below[last].append(line)
    read = {place: _claims_among(lines, place in headed) for place, lines in below.items()}
    return {place: claims for place, claims in read.items() if claims is not None}


def _claims_among(lines: list[str], headed: bool) -> tuple[str, ...] | None:
    """None where the lines cannot be told."""
    claims = read_list("\n".join(lines))
    return () if claims is None and headed and not lines else claims


PARSERS: dict[str, Callable[[str, int], BySegment]] = {
    "repaired": parse_repaired,
    "released-code": parse_paper,
    "paper": parse_paper,
}
