"""Choosing the passages that a fact is judged by, from its topic's page alone (FActScore §4.1 and table 13)."""

import asyncio
from collections.abc import Sequence

import numpy as np

from evaluators.methods.base import Case, Passage, Tools

BM25, DENSE = "bm25", "dense"
RETRIEVALS = (BM25, DENSE)
WHOLE_PAGE = 1000  # passages, at most

Passages = Sequence[Passage]


async def find_passages(tools: Tools, case: Case, count: int, retrieval: str) -> list[Passages]:
    """The best `count` passages for each unit, best first; none where the topic has no page."""
    if retrieval == BM25:
        return list(await asyncio.gather(*(tools.search(case.topic, unit.text, count) for unit in case.units)))
    page = await tools.search(case.topic, case.topic, WHOLE_PAGE)
    if not page or not case.units:
        return [() for _ in case.units]
    passages, facts = await asyncio.gather(
        tools.embed([f"{passage.title}. {passage.text}" for passage in page]),
        tools.embed([unit.text for unit in case.units]),
    )
    return [[page[place] for place in nearest(fact, passages, count)] for fact in facts]


def nearest(query: Sequence[float], vectors: Sequence[Sequence[float]], count: int) -> list[int]:
    """The places of the vectors at the smallest angle to the query, nearest first; of those alike the earlier first.
    A vector of length 0 has no direction and comes last."""
    table, towards = np.asarray(vectors, dtype=np.float64), np.asarray(query, dtype=np.float64)
    lengths = np.linalg.norm(table, axis=1) * np.linalg.norm(towards)
    cosines = np.divide(table @ towards, lengths, out=np.full(len(table), -np.inf), where=lengths > 0)
    return [int(place) for place in np.argsort(-cosines, kind="stable")[:count]]


def show(passages: Passages) -> str:
    """The passages as a prompt shows them, each under the title of its page."""
    return "\n\n".join(f"Title: {passage.title}\nText: {passage.text}" for passage in passages)
