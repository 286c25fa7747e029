"""Editors that read nothing: input copying, and noise on a share of the words (FActScore appendix C.1)."""

from collections.abc import Mapping
from typing import Any

from evaluators.methods.base import FACTS, Case, Edit, Judge, Method, Outcome, Parameter, Tools, Unit
from evaluators.methods.editing import SELECTION, each_sentence
from ratings.draw import seeded


def build_copy(parameters: Mapping[str, Any]) -> Judge:
    async def copy(tools: Tools, case: Case, unit: Unit) -> Outcome:
        return Edit(unit, unit.text)

    return each_sentence(copy)


def build_noise(parameters: Mapping[str, Any]) -> Judge:
    seed: int = parameters["seed"]
    share: float = parameters["share"]

    async def disturb(tools: Tools, case: Case, unit: Unit) -> Outcome:
        return Edit(unit, add_noise(unit.text, case.response.split(), share, f"{seed} {case.index} {unit.segment}"))

    return each_sentence(disturb)


def add_noise(text: str, vocabulary: list[str], share: float, seed: str) -> str:
    """The words of the text but for a random `share` of them (rounded half up): each of these is dropped or, with equal
    chance, replaced by a random word of the vocabulary. The same seed disturbs alike."""
    chance, words = seeded(seed), text.split()
    disturbed = set(chance.sample(range(len(words)), int(share * len(words) + 0.5)))
    kept = []
    for place, word in enumerate(words):
        if place not in disturbed:
            kept.append(word)
        elif chance.random() < 0.5:
            kept.append(chance.choice(vocabulary))
    return " ".join(kept)


METHODS = (
    Method(
        name="edit-copy",
        title="Input copying",
        description="Leaves every sentence as it is. A baseline: no edit.",
        build=build_copy,
        schemes=(FACTS,),
        edits=True,
        own_parameters=SELECTION,
    ),
    Method(
        name="edit-noise",
        title="Random noise",
        description="Drops or replaces a random share of each sentence's words, repeatable by its seed. A baseline.",
        build=build_noise,
        schemes=(FACTS,),
        edits=True,
        own_parameters=(
            *SELECTION,
            Parameter(
                "share",
                0.25,
                "Share of the words that are dropped or replaced.",
                minimum=0,
                maximum=1,
                label="Share of words",
            ),
            Parameter("seed", 20170, "Seed of the draw.", minimum=0, label="Seed"),
        ),
    ),
)
