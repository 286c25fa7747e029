"""Judges without a model: are the words of a unit in the references that the response comes with, or of a claim in its
own passages?"""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluators.methods.base import (
    EVERY_SCHEME,
    Case,
    Judge,
    Judgement,
    Method,
    Outcome,
    Parameter,
    Skip,
    Tools,
    Unit,
)
from knowledge.bm25 import PassageIndex
from knowledge.passages import cut
from knowledge.words import content_words
from stats.baselines import NOT_SUPPORTED, SUPPORTED

NO_REFERENCE = "no reference"
NO_PASSAGE = "no passage"
NO_CONTENT_WORDS = "no content words"


def build(parameters: Mapping[str, Any]) -> Judge:
    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        if case.of_claims:
            return [judge_by(unit, index_of(case.passages_of(unit)), NO_PASSAGE) for unit in case.units]
        index = index_of([reference.content or "" for reference in case.references])
        return [judge_by(unit, index, NO_REFERENCE) for unit in case.units]

    def index_of(texts: Sequence[str]) -> PassageIndex:
        return PassageIndex([passage for text in texts for passage in cut(text, parameters["passage_words"])])

    def judge_by(unit: Unit, index: PassageIndex, without: str) -> Outcome:
        return judge_unit(unit, index, parameters["passages"], parameters["threshold"], without)

    return judge


def judge_unit(
    unit: Unit, index: PassageIndex, passages: int, threshold: float, without: str = NO_REFERENCE
) -> Outcome:
    """Supported where the share of the unit's distinct content words that the best passages hold reaches the threshold.

    The share is the judgement's score: it orders units, but it is no calibrated probability. A unit is skipped where
    there is no text to look in (`without`), or no content word to look for.
    """
    if not index:
        return Skip(unit, without)
    words = set(content_words(unit.text))
    if not words:
        return Skip(unit, NO_CONTENT_WORDS)
    held = {word for passage in index.search(sorted(words), passages) for word in content_words(passage)}
    overlap = words & held
    share = len(overlap) / len(words)
    missing = ", ".join(sorted(words - overlap))
    rationale = f"{len(overlap)} of {len(words)} content words found" + (f"; missing: {missing}" if missing else "")
    return Judgement(unit, SUPPORTED if share >= threshold else NOT_SUPPORTED, share, rationale)


METHOD = Method(
    name="lexical",
    title="Lexical overlap",
    description="Looks for the content words of each unit in the best passages of the response's own references, "
    "or of a claim's passages, chosen by BM25. Calls no model; leaves out what has neither.",
    build=build,
    schemes=EVERY_SCHEME,
    own_parameters=(
        Parameter(
            "threshold",
            0.6,
            "Share of content words found from which a unit is supported.",
            minimum=0,
            maximum=1,
            label="Threshold",
        ),
        Parameter("passages", 3, "Passages looked at for each unit.", minimum=1, maximum=100, label="Passages"),
        Parameter(
            "passage_words", 100, "Longest passage, in words.", minimum=5, maximum=10_000, label="Words of a passage"
        ),
    ),
)
