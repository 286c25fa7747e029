"""What the library's FActScore gives back."""

from dataclasses import dataclass


@dataclass(frozen=True)
class JudgedFact:
    """supported: None where the answer could not be read, or the fact was skipped; `reason` says which. probability:
    of *supported*, None where the endpoint gave none. rationale: what the model said. sentence: the number of its
    sentence, from 0; None for facts that were given."""

    text: str
    sentence: int | None
    supported: bool | None
    probability: float | None
    rationale: str
    reason: str = ""


@dataclass(frozen=True)
class ScoredResponse:
    """score: with the length penalty; None where it abstains, has no decided fact, or failed. error: why it failed, ""
    where it did not."""

    topic: str
    abstained: bool
    facts: tuple[JudgedFact, ...]
    score: float | None
    error: str = ""


@dataclass(frozen=True)
class FactScore:
    """score, init_score: means over responses with a score, with the length penalty and without; None without any.
    respond_ratio: the share of responses that do not abstain, failed ones left out; None without any.
    facts_per_response: the mean of those that respond; None without any. calls, cached: answers of the model, and of
    the cache."""

    score: float | None
    init_score: float | None
    respond_ratio: float | None
    facts_per_response: float | None
    responses: tuple[ScoredResponse, ...]
    calls: int
    cached: int
