"""Choosing the passages that a fact is judged by, from its topic's page alone (FActScore §4.1 and table 13)."""

import asyncio
import string
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import numpy as np

from evaluators.methods.base import RELEASED_CODE, Case, EvidencePassage, Parameter, Tools, Unit
from evaluators.methods.parameters import layout_of
from evaluators.methods.sentence_vectors import embed, find_sentence_weights
from knowledge.bm25 import PassageIndex, rank_by_okapi
from knowledge.passages import PASSAGE_WORDS, cut
from knowledge.words import content_words

BM25, DENSE, DENSE_LOCAL, GOLD = "bm25", "dense", "dense-local", "gold"
WHOLE_PAGE = 1000  # passages, at most
NO_PAGE, NO_EVIDENCE = "no page of the topic", "no passage that people went by"

RETRIEVAL = (
    Parameter(
        "passages", 5, "Passages of the topic's page shown with each fact.", minimum=1, maximum=100, label="Passages"
    ),
    Parameter(
        "retrieval",
        BM25,
        "How they are chosen; gold: those that people linked to the fact as evidence, else the best of the response's "
        "references.",
        choices=(BM25, DENSE, DENSE_LOCAL, GOLD),
        released=DENSE_LOCAL,
        label="Retrieval",
    ),
    Parameter(
        "embedding_model",
        "",
        "The model that embeds facts and passages for dense retrieval (empty: the run's own).",
        label="Embedding model",
    ),
    Parameter(
        "retrieval_weights",
        "",
        "Folder of the embedding model's weights, in WEIGHTS_DIR, for dense-local.",
        label="Weights of the embedding model",
    ),
)

Passages = Sequence[EvidencePassage]
FindPassages = Callable[[Tools, Case], Awaitable[list[Passages]]]
"""The best passages for each unit of the case, best first; none where the topic has no page."""
Embed = Callable[[Tools, Sequence[str]], Awaitable[list[list[float]]]]


def build_retrieval(parameters: Mapping[str, Any]) -> FindPassages:
    """Raises NotReadyError where a local model is to embed, and its weights or the extra are not there."""
    count: int = parameters["passages"]
    released = layout_of(parameters) == RELEASED_CODE
    if parameters["retrieval"] == BM25:
        return by_words(count, released)
    if parameters["retrieval"] == GOLD:
        return by_people(count)
    if parameters["retrieval"] == DENSE:
        return by_vectors(count, lambda tools, texts: tools.embed(texts), released)
    folder = find_sentence_weights(parameters["retrieval_weights"], "retrieval_weights")
    return by_vectors(count, lambda tools, texts: asyncio.to_thread(embed, folder, texts), released)


def by_words(count: int, released: bool = False) -> FindPassages:
    """released: by the published code's BM25, the topic before the fact."""

    async def find(tools: Tools, case: Case) -> list[Passages]:
        if not released:
            return list(await asyncio.gather(*(tools.search(case.topic, unit.text, count) for unit in case.units)))
        page = await tools.search(case.topic, case.topic, WHOLE_PAGE)
        texts = [passage.text for passage in page]
        return [[page[place] for place in rank_by_okapi(texts, _query(case, unit))[:count]] for unit in case.units]

    return find


def _query(case: Case, unit: Unit) -> str:
    """The published code's query for a fact."""
    return f"{case.topic} {unit.text.strip()}"


def by_people(count: int) -> FindPassages:
    """People's evidence: the passages that they linked to the fact; where there are none, those of the response's
    references that share most words with it."""

    async def find(tools: Tools, case: Case) -> list[Passages]:
        cited = [
            EvidencePassage(reference.url or case.topic, text)
            for reference in case.references
            for text in cut(reference.content or "", PASSAGE_WORDS)
        ]
        words = PassageIndex([passage.text for passage in cited])
        return [
            case.evidence.get((unit.segment_id, unit.fact_id), ())[:count]
            or [cited[place] for place in words.ranking(content_words(unit.text))[:count]]
            for unit in case.units
        ]

    return find


def by_vectors(count: int, embed: Embed, released: bool = False) -> FindPassages:
    """released: the topic stands before the fact, and a page's title before its passage without a full stop."""
    after_title = " " if released else ". "

    async def find(tools: Tools, case: Case) -> list[Passages]:
        page = await tools.search(case.topic, case.topic, WHOLE_PAGE)
        if not page or not case.units:
            return [() for _ in case.units]
        passages, facts = await asyncio.gather(
            embed(tools, [f"{passage.title}{after_title}{passage.text}" for passage in page]),
            embed(tools, [_query(case, unit) if released else unit.text for unit in case.units]),
        )
        return [[page[place] for place in nearest(fact, passages, count)] for fact in facts]

    return find


def nearest(query: Sequence[float], vectors: Sequence[Sequence[float]], count: int) -> list[int]:
    """The places of the vectors at the smallest angle to the query, nearest first; of those alike the earlier first.
    A vector of length 0 has no direction and comes last."""
    table, towards = np.asarray(vectors, dtype=np.float64), np.asarray(query, dtype=np.float64)
    lengths = np.linalg.norm(table, axis=1) * np.linalg.norm(towards)
    cosines = np.divide(table @ towards, lengths, out=np.full(len(table), -np.inf), where=lengths > 0)
    return [int(place) for place in np.argsort(-cosines, kind="stable")[:count]]


def show(passages: Passages, layout: str) -> str:
    """The passages as a prompt shows them, each under the title of its page. released-code: the best stands last, and a
    full stop ends them where no other sign does."""
    ordered = list(reversed(passages)) if layout == RELEASED_CODE else passages
    shown = "\n\n".join(f"Title: {passage.title}\nText: {passage.text}" for passage in ordered)
    if layout != RELEASED_CODE:
        return shown
    shown = shown.strip()
    return shown if shown.endswith(tuple(string.punctuation)) else f"{shown}."
