"""Judges without a model: are the words of a unit in the references that the response comes with?"""

from collections.abc import Mapping
from typing import Any

from evaluators.methods.base import Case, Judge, Judgement, Method, Outcome, Parameter, Skip, Tools, Unit
from knowledge.bm25 import PassageIndex
from knowledge.passages import cut
from knowledge.words import content_words
from stats.baselines import NOT_SUPPORTED, SUPPORTED

NO_REFERENCE = "no reference"
NO_CONTENT_WORDS = "no content words"


def build(parameters: Mapping[str, Any]) -> Judge:
    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        texts = [reference.content or "" for reference in case.references]
        index = PassageIndex([passage for text in texts for passage in cut(text, parameters["passage_words"])])
        return [judge_unit(unit, index, parameters["passages"], parameters["threshold"]) for unit in case.units]

    return judge


def judge_unit(unit: Unit, index: PassageIndex, passages: int, threshold: float) -> Outcome:
    """Supported where the share of the unit's distinct content words that the best passages hold reaches the threshold.

    The share is the judgement's score: it orders units, but it is no calibrated probability. A unit is skipped where
    there is no reference text to look in, or no content word to look for.
    """
    if not index:
        return Skip(unit, NO_REFERENCE)
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
    "chosen by BM25. Calls no model; leaves out what has no reference.",
    build=build,
    own_parameters=(
        Parameter(
            "threshold", 0.6, "Share of content words found from which a unit is supported.", minimum=0, maximum=1
        ),
        Parameter("passages", 3, "Passages looked at for each unit.", minimum=1, maximum=100),
        Parameter("passage_words", 100, "Longest passage, in words.", minimum=5, maximum=10_000),
    ),
)
