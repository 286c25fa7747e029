"""The keys of the report on a benchmark's scorings (docs/commands.md, `factor_report`).

None stands for a figure that is undefined, or for something that is not known.
"""

from typing import Literal, TypedDict

# The groupings of examples and pairs.
PartKind = Literal["types", "strata", "dated"]


class ShareFigures(TypedDict):
    """interval: [low, high]."""

    accuracy: float | None
    interval: list[float] | None
    right: int
    n: int


class GroupFigures(ShareFigures):
    """One group of examples or pairs."""

    name: str | None


class RuleFigures(ShareFigures):
    """Accuracy by one rule; `ties` and `missing` are never right."""

    ties: int
    missing: int


class CutoffGap(TypedDict):
    """Accuracy after the model's training cut-off less that before it."""

    difference: float | None
    interval: list[float] | None


class ScoringFigures(TypedDict):
    scoring: int
    name: str
    model: str
    family: str
    parameters: int | None
    cutoff: str | None
    context_length: int
    with_prefix: bool
    start_token: bool
    retrieval: str | None
    state: str
    asked: int
    n: int
    scored: int
    missing: int
    coverage: float | None
    rules: dict[str, RuleFigures]
    pair_accuracy: ShareFigures
    types: list[GroupFigures]
    strata: list[GroupFigures]
    dated: list[GroupFigures]
    after_less_before: CutoffGap
    tokens: int
    seconds: float


class PairFigures(TypedDict):
    """Two scorings by their keys: the accuracy of `one` less that of `other`, on the examples of both."""

    one: int
    other: int
    n: int
    only_one: int
    only_other: int
    difference: float | None
    interval: list[float] | None
    p: float | None
    p_holm: float | None
    p_adjusted: float | None
    simultaneous_interval: list[float] | None
    mcnemar: float | None
    better: int | None


class PerplexityScoring(RuleFigures):
    """A plain scoring whose model has a perplexity on the corpus."""

    scoring: int
    name: str
    family: str
    perplexity: float | None
    perplexity_interval: list[float] | None
    bits_per_character: float | None


class RankDisagreement(TypedDict):
    """Two scorings that accuracy and perplexity rank the other way round. lower: that of lower perplexity.

    difference: the accuracy of `lower` less that of `higher`. bits_turned: whether the bits per character of `lower`
    are higher: by them, which compare models of different tokenizers too, the two measures agree.
    """

    lower: int
    higher: int
    perplexities: list[float | None]
    bits_per_character: list[float | None]
    bits_turned: bool
    difference: float
    interval: list[float] | None
    p_holm: float | None
    p_adjusted: float | None
    simultaneous_interval: list[float] | None
    sure: bool


class PerplexityReport(TypedDict):
    corpus: str
    documents: int
    left_out: int
    models: list[PerplexityScoring]
    disagreements: list[RankDisagreement]


class EditDistance(TypedDict):
    mean: float | None
    deviation: float | None


class FactorReport(TypedDict):
    dataset: str
    benchmark: str
    rule: str
    seed: int
    resamples: int
    examples: int
    documents: int
    excluded: int
    chance: float | None
    edit_distance: EditDistance
    scorings: list[ScoringFigures]
    pairs: list[PairFigures]
    retrieval: list[PairFigures]
    perplexity: PerplexityReport | None
