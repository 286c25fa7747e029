"""NP (FActScore §4.1): no model is asked; each fact's words are looked for among those of its topic's page."""

import asyncio
from collections.abc import Mapping
from typing import Any

from evaluators.methods.base import (
    FACTS,
    RELEASED_CODE,
    SHARED,
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
from evaluators.methods.factscore_facts import ABSTENTION, unless_abstained
from evaluators.methods.factscore_passages import NO_PAGE, Passages, by_words
from evaluators.methods.neural import load_masked
from evaluators.methods.nonparametric import Bank, TooLongError, encode_passage, join, words_in
from evaluators.methods.parameters import layout_of
from llm.weights import find_weights
from stats.baselines import NOT_SUPPORTED, SUPPORTED

NO_CONTENT_WORDS = "no content words"
TOO_LONG = "longer than the model takes"

NONPARAMETRIC = (
    Parameter(
        "np_weights",
        "",
        "Folder of the masked language model's weights, in WEIGHTS_DIR.",
        label="Weights of the masked language model",
    ),
    Parameter(
        "np_passages",
        3,
        "Passages of the topic's page, by BM25, in which words are looked for.",
        minimum=1,
        maximum=100,
        label="Passages for words",
    ),
    Parameter(
        "np_threshold",
        0.3,
        "Probability above which a fact is supported.",
        minimum=0,
        maximum=1,
        label="Threshold of the masked language model",
    ),
)


def build(parameters: Mapping[str, Any]) -> Judge:
    """Raises NotReadyError where the extra or the weights are not there."""
    folder = find_weights(parameters["np_weights"], "np_weights")
    released = layout_of(parameters) == RELEASED_CODE
    find = by_words(parameters["np_passages"], released)

    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        passages_by_unit = await find(tools, case)
        banks: dict[str, Bank] = {}  # by passage: the facts of a response share them
        # One fact at a time and beside the event loop: leases are renewed meanwhile, and a run can be stopped.
        return [
            await asyncio.to_thread(judge_fact, unit, passages, banks)
            for unit, passages in zip(case.units, passages_by_unit, strict=True)
        ]

    def judge_fact(unit: Unit, passages: Passages, banks: dict[str, Bank]) -> Outcome:
        """Skipped where there is nothing to look in, or nothing to look for."""
        if not passages:
            return Skip(unit, NO_PAGE)
        encoder = load_masked(folder)
        for passage in passages:
            if passage.text not in banks:
                banks[passage.text] = encode_passage(encoder, passage.text, released)
        bank = join(banks[passage.text] for passage in passages)
        try:
            words = words_in(encoder, unit.text, bank, released)
        except TooLongError:
            return Skip(unit, TOO_LONG)
        if not words:
            return Skip(unit, NO_CONTENT_WORDS)
        score = sum(word.probability for word in words) / len(words)
        value = SUPPORTED if score > parameters["np_threshold"] else NOT_SUPPORTED
        return Judgement(unit, value, score, ", ".join(f"{word.text} {word.probability:.2f}" for word in words))

    return unless_abstained(judge, parameters)


METHOD = Method(
    name="factscore-np",
    title="FActScore, NP",
    description="Masks each word of an atomic fact in turn and looks how probable it is among the words of the best "
    "passages of the topic's page, by a masked language model on this machine. Needs the extra neural.",
    build=build,
    schemes=(FACTS,),
    needs_source=True,
    own_parameters=(*NONPARAMETRIC, SHARED["profile"], *ABSTENTION),
)
