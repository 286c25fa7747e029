"""A benchmark's examples, read once, as the arrays that every figure is computed from."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import groupby

import numpy as np

from factor.models import Benchmark, Completion, Example, Exclusion, FactorErrorType
from stats.arrays import Floats, Ints
from stats.bootstrap import Resampling
from stats.differing_tokens import PairSides, differing_sides
from stats.edits import mean_distance
from stats.factor import CompletionPairs

# The types of false completions in the order of the pages; that of a file which does not say is the last.
TYPES = ("", *FactorErrorType.values)
TYPE_NAMES = {"": "not given", **dict(FactorErrorType.choices)}


@dataclass(frozen=True)
class BenchmarkStudy:
    """E examples with a false completion each or more, P pairs, N completions.

    examples, position, dated: of each example (E,). cluster: the number of its document (E,), of `documents`; an
    example of which no document is known stands alone. completions, texts: the keys and texts of all completions.
    true, false: the numbers of both sides of each pair (P,). distance: mean edit distance (E,). excluded: how many more
    examples people have excluded.
    """

    benchmark: Benchmark
    examples: Sequence[int]
    position: Sequence[int]
    dated: Sequence[date | None]
    cluster: Ints
    documents: int
    completions: Sequence[int]
    texts: Sequence[str]
    true: Ints
    false: Ints
    pairs: CompletionPairs
    distance: Floats
    excluded: int

    @property
    def resampling(self) -> Resampling:
        return Resampling(np.zeros(self.documents, dtype=np.int64))

    @cached_property
    def sides(self) -> PairSides:
        """The characters that distinguish the completions of each pair."""
        return differing_sides(self.texts, self.true, self.false)

    @cached_property
    def number_of(self) -> dict[int, int]:
        """The number of each completion by its key."""
        return {pk: number for number, pk in enumerate(self.completions)}


def read_study(benchmark: Benchmark) -> BenchmarkStudy:
    """Without the examples that are excluded at the moment, and those without a false completion: three queries."""
    out = set(Exclusion.objects.in_force().filter(example__benchmark=benchmark).values_list("example_id", flat=True))
    examples = Example.objects.filter(benchmark=benchmark).order_by("position")
    fields = examples.values_list("pk", "position", "dated", "document_key", "document_id")
    rows = Completion.objects.filter(example__benchmark=benchmark).order_by("example__position", "place")
    completions = rows.values_list("example_id", "pk", "place", "text", "error_type")
    by_example = {pk: list(some) for pk, some in groupby(completions, key=lambda row: row[0])}
    counted = [row for row in fields if row[0] not in out and _is_whole(by_example.get(row[0], []))]
    return _study(benchmark, counted, [by_example[row[0]] for row in counted], len(out))


_Row = tuple[int, int, int, str, str]
_Example = tuple[int, int, date | None, str, int | None]


def _is_whole(rows: Sequence[_Row]) -> bool:
    return len(rows) > 1 and rows[0][2] == 0


def _study(
    benchmark: Benchmark, counted: Sequence[_Example], groups: Sequence[Sequence[_Row]], excluded: int
) -> BenchmarkStudy:
    flat = [row for rows in groups for row in rows]
    sizes = np.array([len(rows) for rows in groups], dtype=np.int64)
    first = np.cumsum(sizes) - sizes
    number, place = np.arange(len(flat)), np.array([row[2] for row in flat], dtype=np.int64)
    example = np.repeat(np.arange(len(groups)), sizes)
    false = number[place > 0]
    types = np.array([TYPES.index(row[4]) for row in flat], dtype=np.int64)
    documents: dict[object, int] = {}
    cluster = [documents.setdefault(_document(row), len(documents)) for row in counted]
    return BenchmarkStudy(
        benchmark=benchmark,
        examples=[row[0] for row in counted],
        position=[row[1] for row in counted],
        dated=[row[2] for row in counted],
        cluster=np.array(cluster, dtype=np.int64),
        documents=len(documents),
        completions=[row[1] for row in flat],
        texts=[row[3] for row in flat],
        true=np.repeat(first, sizes - 1),
        false=false,
        pairs=CompletionPairs(example[false], types[false], len(groups)),
        distance=np.array([mean_distance(rows[0][3], [row[3] for row in rows[1:]]) for rows in groups], dtype=float),
        excluded=excluded,
    )


def _document(row: _Example) -> object:
    """The common key of examples of one document: its key in the file, else the document itself."""
    pk, _, _, key, document = row
    return key or (("document", document) if document is not None else ("example", pk))
