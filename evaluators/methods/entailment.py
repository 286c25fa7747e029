"""Judges without a language model: is a unit entailed by its evidence, by a classifier of pairs on this machine?

`nli` reads the best passages, as a model of natural-language inference does (premise and hypothesis of a sentence or
two); `minicheck` reads whole documents in chunks, as MiniCheck (Tang et al. 2024, §4) and other models that were
trained on long evidence do. The evidence that bears a unit out best decides in both.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
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
from evaluators.methods.factscore_passages import NO_PAGE, WHOLE_PAGE
from evaluators.methods.lexical import NO_PASSAGE
from knowledge.bm25 import PassageIndex
from knowledge.passages import cut
from knowledge.words import content_words
from llm.pair_classifier import (
    AT_ONCE,
    CONTRADICTION,
    DEVICES,
    DTYPES,
    PairClassifier,
    load_pair_classifier,
    read_labels,
)
from llm.weights import NotReadyError, find_weights
from stats.baselines import NOT_SUPPORTED, SUPPORTED

REFERENCES, SOURCE = "references", "source"
NO_EVIDENCE = {REFERENCES: "no reference", SOURCE: NO_PAGE}
TOO_LONG = "longer than the model takes"
ENTAILMENT = ("entailment", "entailed", "supported", "support", "consistent")
NEUTRAL = ("neutral", "not enough info", "not_enough_info", "not_enough_evidence", "nei", "unknown")
NOT_ENOUGH_EVIDENCE = "not_enough_evidence"
SHOWN = 80  # characters of the evidence that a rationale quotes


@dataclass(frozen=True)
class Read:
    """A piece of evidence that was read for a unit, the probability that it entails it, and whether it contradicts it
    rather than leaves it open: always where the model has no labels for that."""

    text: str
    probability: float
    contradicts: bool = True


def build(by_chunks: bool, parameters: Mapping[str, Any]) -> Judge:
    """Raises NotReadyError where the extra or the weights are not there, or no label says that a text is entailed."""
    folder = find_weights(parameters["nli_weights"], "nli_weights")
    label = find_entailment(folder, parameters["entailment_label"])
    against = find_against(folder)

    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        chosen = await choose_evidence(case, tools)
        own = case.of_claims and parameters["evidence"] == REFERENCES
        without = NO_PASSAGE if own else NO_EVIDENCE[parameters["evidence"]]
        # Beside the event loop: leases are renewed meanwhile, and a run can be stopped.
        return await asyncio.to_thread(judge_units, case.units, chosen, without, case.of_claims)

    async def choose_evidence(case: Case, tools: Tools) -> list[list[str]]:
        """For each unit what the model reads; [] where there is nothing."""
        if case.of_claims and parameters["evidence"] == REFERENCES:
            own = [(unit, in_pieces(case.passages_of(unit), parameters["words"])) for unit in case.units]
            return [texts if by_chunks else choose([unit], texts, parameters["passages"])[0] for unit, texts in own]
        texts = await find_evidence(case, tools, parameters)
        return [texts] * len(case.units) if by_chunks else choose(case.units, texts, parameters["passages"])

    def judge_units(
        units: Sequence[Unit], chosen: Sequence[Sequence[str]], without: str, of_claims: bool
    ) -> list[Outcome]:
        """without: why a unit without evidence is left out."""
        tells = of_claims and parameters.get("neutral", NOT_ENOUGH_EVIDENCE) == NOT_ENOUGH_EVIDENCE
        if not any(chosen):
            return [Skip(unit, without) for unit in units]
        classifier = load_pair_classifier(folder, parameters["device"], parameters["dtype"])
        pairs = [
            [(piece, unit.text) for text in texts for piece in pieces_for(classifier, text, unit.text)]
            for unit, texts in zip(units, chosen, strict=True)
        ]
        all_pairs = [pair for of_unit in pairs for pair in of_unit]
        found = iter(classifier.probabilities(all_pairs, parameters["batch"]))
        return [
            decide(unit, [read(text, next(found)) for text, _ in of_unit], TOO_LONG if texts else without, tells)
            for unit, texts, of_unit in zip(units, chosen, pairs, strict=True)
        ]

    def read(text: str, probabilities: Sequence[float]) -> Read:
        if against is None:
            return Read(text, probabilities[label])
        contradiction, neutral = (probabilities[place] for place in against)
        return Read(text, probabilities[label], contradiction >= neutral)

    def decide(unit: Unit, pieces: Sequence[Read], unread: str, tells: bool) -> Outcome:
        """unread: why nothing was read, where nothing was. tells: whether the unit may lack evidence."""
        if not pieces:
            return Skip(unit, unread)
        best = max(pieces, key=lambda each: each.probability)
        value = SUPPORTED if best.probability >= parameters["threshold"] else NOT_SUPPORTED
        if tells and value == NOT_SUPPORTED and not any(each.contradicts for each in pieces):
            value = NOT_ENOUGH_EVIDENCE
        shown = " ".join(best.text.split())
        shown = shown if len(shown) <= SHOWN else f"{shown[:SHOWN].rstrip()} …"
        return Judgement(unit, value, best.probability, f"entailed with {best.probability:.2f} by: {shown}")

    return judge


async def find_evidence(case: Case, tools: Tools, parameters: Mapping[str, Any]) -> list[str]:
    """All that a unit of the case may be entailed by, in pieces of `words` words; [] where there is nothing."""
    if parameters["evidence"] == SOURCE:
        page = await tools.search(case.topic, case.topic, WHOLE_PAGE)
        documents = ["\n".join(passage.text for passage in page)]
    else:
        documents = [reference.content or "" for reference in case.references]
    return in_pieces(documents, parameters["words"])


def in_pieces(documents: Sequence[str], words: int) -> list[str]:
    return [piece for document in documents for piece in cut(document, words)]


def choose(units: Sequence[Unit], texts: Sequence[str], count: int) -> list[list[str]]:
    """For each unit the texts that share most words with it, by BM25, best first."""
    index = PassageIndex(texts)
    places = (index.ranking(content_words(unit.text)) or range(len(texts)) for unit in units)
    return [[texts[place] for place in of_unit[:count]] for of_unit in places]


def pieces_for(classifier: PairClassifier, text: str, hypothesis: str) -> list[str]:
    """The text in as few halves of halves as the model takes beside the hypothesis; [] where it takes not a word."""
    if classifier.takes((text, hypothesis)):
        return [text]
    words = len(text.split())
    if words < 2:
        return []
    return [piece for half in cut(text, (words + 1) // 2) for piece in pieces_for(classifier, half, hypothesis)]


def find_entailment(folder: Path, name: str) -> int:
    """The place of the label by its name; "": of the only one that is called entailment, supported or the like, and of
    two labels without names the second. Raises NotReadyError."""
    labels = read_labels(folder)
    wanted = (name.lower(),) if name else ENTAILMENT
    places = [place for place, label in labels.items() if label.lower() in wanted]
    if not name and not places and set(labels.values()) <= {"LABEL_0", "LABEL_1"} and len(labels) == 2:
        return 1
    if len(places) != 1:
        raise NotReadyError(
            f"The labels of the weights {folder.name} are {', '.join(labels.values()) or 'none'}; entailment_label "
            f"must name the one that says that the evidence entails the unit."
        )
    return places[0]


def find_against(folder: Path) -> tuple[int, int] | None:
    """The places of the labels of a contradiction and of neither; None where the model does not tell them apart."""
    labels = {place: label.lower() for place, label in read_labels(folder).items()}
    contradictions = [place for place, label in labels.items() if CONTRADICTION in label]
    neutrals = [place for place, label in labels.items() if label in NEUTRAL]
    return (contradictions[0], neutrals[0]) if len(contradictions) == len(neutrals) == 1 else None


# How a classifier runs.
RUNNING = (
    Parameter(
        "batch", AT_ONCE, "Pairs that go through the model together.", minimum=1, maximum=1024, label="Pairs at once"
    ),
    Parameter(
        "device",
        DEVICES[0],
        "Where the model runs; auto: on a GPU where there is one.",
        choices=DEVICES,
        label="Device",
    ),
    Parameter("dtype", DTYPES[0], "Precision of the weights.", choices=DTYPES, label="Precision"),
)
WEIGHTS = Parameter(
    "nli_weights", "", "Folder of the classifier's weights, in WEIGHTS_DIR.", label="Weights of the classifier"
)


def own_parameters(words: int, *more: Parameter) -> tuple[Parameter, ...]:
    return (
        WEIGHTS,
        Parameter(
            "entailment_label",
            "",
            "The label that stands for entailed (empty: found by its name).",
            label="Label of entailment",
        ),
        Parameter(
            "threshold", 0.5, "Probability from which a unit is supported.", minimum=0, maximum=1, label="Threshold"
        ),
        Parameter(
            "neutral",
            NOT_ENOUGH_EVIDENCE,
            "What a claim is that no piece of its evidence entails or contradicts; other units are not supported.",
            choices=(NOT_ENOUGH_EVIDENCE, NOT_SUPPORTED),
            label="Neutral claims",
        ),
        Parameter(
            "evidence",
            REFERENCES,
            "What a unit is held against: the response's references (of a claim its own passages), or the page of its "
            "topic in the knowledge source.",
            choices=(REFERENCES, SOURCE),
            label="Evidence",
        ),
        *more,
        Parameter(
            "words",
            words,
            "Longest piece of evidence, in words; the model reads each by itself.",
            minimum=5,
            label="Words of a piece",
        ),
        *RUNNING,
    )


PASSAGES = Parameter(
    "passages", 3, "Pieces of evidence that are read for each unit, by BM25.", minimum=1, maximum=1000, label="Passages"
)

NLI = Method(
    name="nli",
    title="Natural-language inference",
    description="Judges each unit by the probability that one of the best passages of its evidence entails it, by a "
    "classifier on this machine. Needs the extra neural.",
    build=partial(build, False),
    schemes=EVERY_SCHEME,
    needs_source=True,
    sourceless=("evidence", REFERENCES),
    own_parameters=own_parameters(100, PASSAGES),
)
MINICHECK = Method(
    name="minicheck",
    title="MiniCheck",
    description="Judges each unit by the whole of its evidence, read in chunks by a fact-checking classifier on this "
    "machine; the chunk that supports it best decides. Needs the extra neural.",
    build=partial(build, True),
    schemes=EVERY_SCHEME,
    needs_source=True,
    sourceless=("evidence", REFERENCES),
    own_parameters=own_parameters(300),
)
METHODS = (NLI, MINICHECK)
