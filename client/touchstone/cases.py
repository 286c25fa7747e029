"""Cases to judge, and judgements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

SUPPORTED, NOT_SUPPORTED, IRRELEVANT = "supported", "not_supported", "irrelevant"
# Of claims against a source only.
NOT_ENOUGH_EVIDENCE = "not_enough_evidence"


@dataclass(frozen=True)
class Unit:
    """One thing to judge: a segment (`fact` None), or a fact of it. Both count from 0."""

    segment: int
    fact: int | None
    text: str


@dataclass(frozen=True)
class Reference:
    """A source that the response comes with; either part may be missing."""

    url: str | None
    content: str | None


@dataclass(frozen=True)
class Passage:
    """What a claim is judged by."""

    title: str
    text: str


@dataclass(frozen=True)
class Case:
    """A response with all that an evaluator may see of it. samples: other answers of its model to the same prompt.
    passages: of claims against a source what each is judged by, in the order of the units; else ()."""

    index: str
    prompt: str
    response: str
    domain: str
    topic: str
    subject: str
    segments: tuple[str, ...]
    units: tuple[Unit, ...]
    references: tuple[Reference, ...] = ()
    samples: tuple[str, ...] = ()
    passages: tuple[tuple[Passage, ...], ...] = ()


@dataclass(frozen=True)
class Judgement:
    """Of a unit.

    value: "supported", "not_supported", "irrelevant", of claims "not_enough_evidence"; None: the output could not be
    parsed.
    score: the probability of *supported*, or None.
    skipped: why the unit is not judged, in a few words; "" where it is.
    tokens, cost_usd: what the judgement took; None where that is not known.
    """

    unit: Unit
    value: str | None
    score: float | None = None
    rationale: str = ""
    skipped: str = ""
    tokens: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True)
class Claim:
    """A claim that an evaluator extracts from the response by itself.

    value, score, tokens, cost_usd: as of a Judgement.
    segment: the number of the segment that it was taken from, from 0; or start and end: the characters of the response,
    half-open; None of them: of the response as a whole.
    """

    text: str
    value: str | None
    score: float | None = None
    rationale: str = ""
    segment: int | None = None
    start: int | None = None
    end: int | None = None
    tokens: int | None = None
    cost_usd: float | None = None


@dataclass(frozen=True)
class JudgedCase:
    """What came of a case: a judgement for each of its units, or the error that kept it from being judged.

    claims: those that the evaluator extracted by itself, None where it extracts none. With claims and without
    judgements the server judges the units by the claims that say them.
    """

    index: str
    judgements: Sequence[Judgement] = ()
    error: str = ""
    claims: Sequence[Claim] | None = None

    def document(self) -> dict[str, Any]:
        """As the server takes it."""
        spending: list[Judgement | Claim] = [*self.judgements, *(self.claims or ())]
        costs = [each.cost_usd for each in spending]
        known = [cost for cost in costs if cost is not None]
        return {
            "index": self.index,
            "judgements": [
                {
                    "segment": each.unit.segment,
                    "fact": each.unit.fact,
                    "value": each.value,
                    "score": each.score,
                    "rationale": each.rationale,
                    "skipped": each.skipped,
                }
                for each in self.judgements
            ],
            "error": self.error,
            **({} if self.claims is None else {"claims": [_describe_claim(each) for each in self.claims]}),
            "tokens": sum(each.tokens or 0 for each in spending),
            "cost_usd": f"{sum(known):.6f}" if known and len(known) == len(costs) else None,
        }


def _describe_claim(claim: Claim) -> dict[str, Any]:
    return {name: value for name, value in asdict(claim).items() if name not in ("tokens", "cost_usd")}


@dataclass(frozen=True)
class Lease:
    """Cases that are yours until a time. state: of the run."""

    key: str
    until: str
    state: str
    cases: list[Case]


def read_case(document: dict[str, Any]) -> Case:
    """The case of an answer."""
    return Case(
        **{name: document[name] for name in ("index", "prompt", "response", "domain", "topic", "subject")},
        segments=tuple(document["segments"]),
        units=tuple(Unit(each["segment"], each["fact"], each["text"]) for each in document["units"]),
        references=tuple(Reference(each["url"], each["content"]) for each in document["references"]),
        samples=tuple(document["samples"]),
        passages=tuple(
            tuple(Passage(each["title"], each["text"]) for each in of_unit) for of_unit in document.get("passages", ())
        ),
    )
