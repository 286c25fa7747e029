"""What methods that search the web have in common: whose claims they check, how results are shown, and how verdicts
become outcomes."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluators.methods.base import Case, Claim, Judgement, Outcome, Parameter, Skip, Tools, WebResult
from evaluators.methods.felm_answers import INCOMPLETE
from llm.answer import Answer

EXTRACTED, GIVEN = "extracted", "given"
EMPTY = "empty"
NOTHING_FOUND = "nothing"
CLAIMS_A_SEGMENT = 3  # for estimates, where they are not known yet

CLAIMS = Parameter(
    "claims",
    EXTRACTED,
    "Whose claims are checked: those that the model extracts from the response, or the given units as they are.",
    choices=(EXTRACTED, GIVEN),
    label="Claims",
)


def results_parameter(default: int) -> Parameter:
    help_text = "Results of each search that are shown."
    return Parameter("results", default, help_text, minimum=1, maximum=20, label="Results of a search")


@dataclass(frozen=True)
class ClaimVerdict:
    """value, score, calls: as of a Judgement."""

    value: str | None
    score: float | None
    rationale: str
    calls: tuple[int, ...]


Check = Callable[[Case, str, Tools], Awaitable[ClaimVerdict]]
"""Checks one claim of the case, by its text."""


async def judge_given(case: Case, tools: Tools, check: Check) -> list[Outcome]:
    """Each unit checked as a claim."""

    async def judge(place: int) -> Outcome:
        unit = case.units[place]
        if not unit.text.strip():
            return Skip(unit, EMPTY)
        found = await check(case, unit.text, tools)
        return Judgement(unit, found.value, found.score, found.rationale, found.calls)

    return list(await asyncio.gather(*map(judge, range(len(case.units)))))


async def check_claims(
    case: Case, tools: Tools, check: Check, extracted: Sequence[tuple[str, int | None, tuple[int, ...]]]
) -> list[Claim]:
    """The claims with their verdicts. extracted: of each its text, its segment or None, and the calls it came of."""
    verdicts = await asyncio.gather(*(check(case, text, tools) for text, _, _ in extracted))
    return [
        Claim(text, found.value, found.score, found.rationale, calls + found.calls, segment)
        for (text, segment, calls), found in zip(extracted, verdicts, strict=True)
    ]


def count_claims(case: Case, parameters: Mapping[str, Any]) -> int:
    """How many claims a case has: as many as units where they are given, else about CLAIMS_A_SEGMENT a segment."""
    return len(case.units) if parameters["claims"] == GIVEN else count_extracted(case)


def count_extracted(case: Case) -> int:
    return CLAIMS_A_SEGMENT * sum(bool(segment.strip()) for segment in case.segments)


def count_searches(case: Case, parameters: Mapping[str, Any]) -> int:
    return count_claims(case, parameters) * int(parameters["queries"])


def show_results(results: Sequence[WebResult]) -> str:
    """The results as a prompt shows them, each once."""
    shown = [f"{each.title}\n{each.url}\n{each.text}".strip() for each in results]
    return "\n\n".join(dict.fromkeys(shown)) or NOTHING_FOUND


def show_sources(queries: Sequence[str], results: Sequence[WebResult]) -> str:
    """The queries and the addresses found, as a rationale names them."""
    urls = list(dict.fromkeys(each.url or each.title for each in results))
    return f"Searched for: {'; '.join(queries) or NOTHING_FOUND}\nFound: {' '.join(urls) or NOTHING_FOUND}"


def majority(values: Sequence[str | None]) -> tuple[str | None, float | None]:
    """The value that most samples which could be parsed give, a tie takes the first of them, and the share of
    supported among these; None where none could be parsed, and the share of a single sample."""
    read = [value for value in values if value is not None]
    if not read:
        return None, None
    share = sum(value == "supported" for value in read) / len(read)
    most = max(dict.fromkeys(read), key=read.count)  # the first of those that come as often
    return most, share if len(values) > 1 else None


def one_line(answer: Answer) -> str:
    """The only line of an answer; "" where it has none, several, or was cut off."""
    lines = [line.strip() for line in answer.text.splitlines() if line.strip()]
    return lines[0] if len(lines) == 1 and answer.finish_reason not in INCOMPLETE else ""
