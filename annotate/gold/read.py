"""Reads a dataset's gold, in force or of a frozen version, into plain columns (table.py)."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from django.db.models import Exists, OuterRef

from annotate.facts.judged import judged_addresses
from annotate.models import Dataset, GoldLabel, Removal, Scheme, Segment
from annotate.models.gold import counted
from stats.arrays import Ints, Texts
from stats.gold_table import (
    IRRELEVANT,
    NO_GOLD,
    VALUES,
    GoldTable,
    PromptColumns,
    ResponseColumns,
    SegmentColumns,
    UnitColumns,
)
from stats.sizes import words_of_response

CODE = {value: code for code, value in enumerate(VALUES)}
CHUNK = 5_000

Address = tuple[int, int | None]
Gold = dict[Address, tuple[int, str, str]]
NONE = (NO_GOLD, "", "")


def read_gold(dataset: Dataset, version: str | None = None) -> GoldTable:
    """All visible responses with the units that are judged in them, and their gold (None: gold in force).

    A handful of queries however large the dataset. DataError: no such version.
    """
    revision = None if version is None else dataset.find_gold_revision(version)
    gold = _gold(dataset, revision)
    prompts, responses = _responses(dataset, revision)
    segments = _segments(dataset, responses, gold, revision)
    of_facts = dataset.scheme == Scheme.FACTSCORE
    units = _facts(dataset, segments, gold) if of_facts else _whole_segments(segments, gold)
    return GoldTable(of_facts, prompts, responses, segments, units, of_claims=dataset.scheme == Scheme.CLAIMS)


def texts(values: Sequence[str]) -> Texts:
    return np.array(values, dtype=object)


def integers(values: Iterable[int]) -> Ints:
    return np.fromiter(values, dtype=np.int64)


def _gold(dataset: Dataset, revision: int | None) -> Gold:
    labels = GoldLabel.objects.of(dataset).without_removed(revision)
    labels = labels.current() if revision is None else labels.at(revision)
    rows = labels.values_list("segment_id", "fact_id", "value", "error_type", "source").iterator(chunk_size=CHUNK)
    return {(row[0], row[1]): (CODE[row[2]], row[3], row[4]) for row in rows}


def _responses(dataset: Dataset, revision: int | None) -> tuple[PromptColumns, ResponseColumns]:
    removed = Exists(Removal.objects.removed(revision).filter(response=OuterRef("pk")))
    of_response = ("pk", "index", "prompt_id", "subject", "abstained", "removed", "text")
    rows = list(
        dataset.responses.filter(counted("", revision))
        .annotate(removed=removed)
        .order_by("position")
        .values_list(*of_response, *(f"prompt__{name}" for name in _OF_PROMPT))
    )
    prompt_rows: dict[int, int] = {}
    prompts: list[tuple[Any, ...]] = []
    for row in rows:
        if prompt_rows.setdefault(row[2], len(prompts)) == len(prompts):
            prompts.append(row[len(of_response) :])
    columns = [texts([prompt[place] for prompt in prompts]) for place in range(len(_OF_PROMPT))]
    responses = ResponseColumns(
        key=integers(row[0] for row in rows),
        index=texts([row[1] for row in rows]),
        prompt=integers(prompt_rows[row[2]] for row in rows),
        subject=texts([row[3] for row in rows]),
        abstained=np.array([row[4] for row in rows], dtype=np.bool_),
        removed=np.array([row[5] for row in rows], dtype=np.bool_),
        words=integers(words_of_response(row[6]) for row in rows),
    )
    return PromptColumns(*columns), responses


_OF_PROMPT = ("domain", "source", "frequency", "nationality")


def _segments(dataset: Dataset, responses: ResponseColumns, gold: Gold, revision: int | None) -> SegmentColumns:
    row_of = {key: row for row, key in enumerate(responses.key.tolist())}
    segments = (
        Segment.objects.filter(counted("response__", revision), response__dataset=dataset)
        .order_by("response__position", "position")
        .values_list("pk", "response_id", "position")
    )
    rows = list(segments)
    return SegmentColumns(
        key=integers(row[0] for row in rows),
        response=integers(row_of[row[1]] for row in rows),
        position=integers(row[2] for row in rows),
        irrelevant=np.array([gold.get((row[0], None), NONE)[0] == IRRELEVANT for row in rows], dtype=np.bool_),
    )


def _whole_segments(segments: SegmentColumns, gold: Gold) -> UnitColumns:
    judged = [gold.get((key, None), NONE) for key in segments.key.tolist()]
    nothing = np.full(len(judged), -1, dtype=np.int64)
    return UnitColumns(
        segment=np.arange(len(judged), dtype=np.int64),
        fact=nothing,
        position=nothing,
        value=integers(value for value, _, _ in judged),
        error_type=texts([error_type for _, error_type, _ in judged]),
        source=texts([source for _, _, source in judged]),
    )


def _facts(dataset: Dataset, segments: SegmentColumns, gold: Gold) -> UnitColumns:
    facts = judged_addresses(dataset)
    rows = [
        (row, fact, position, *(gold.get((key, None if irrelevant else fact), NONE)))
        for row, (key, irrelevant) in enumerate(zip(segments.key.tolist(), segments.irrelevant.tolist(), strict=True))
        for fact, position in facts.get(key, ())
    ]
    return UnitColumns(
        segment=integers(row[0] for row in rows),
        fact=integers(row[1] for row in rows),
        position=integers(row[2] for row in rows),
        value=integers(row[3] for row in rows),
        error_type=texts([row[4] for row in rows]),
        source=texts([row[5] for row in rows]),
    )
