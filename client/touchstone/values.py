"""What the server answers with, as plain values and tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import datasets
    import pandas
    import pyarrow
    from inspect_ai.dataset import MemoryDataset

Value = TypeVar("Value")
Row = dict[str, Any]


@dataclass(frozen=True)
class Dataset:
    """scheme: "felm", "factscore" or "claims". gold_revision counts the changes of gold."""

    id: int
    name: str
    scheme: str
    description: str
    gold_revision: int


@dataclass(frozen=True)
class Import:
    """A file on its way into a dataset. state: "checked", "waiting", "leased", "done" or "failed". progress: the share
    that is written. report: of its check. dataset: its number once the import is done. not_picked_up: no worker takes
    it up."""

    id: int
    state: str
    error: str
    dataset: int | None
    progress: float
    not_picked_up: bool
    report: Row

    @property
    def is_active(self) -> bool:
        return self.state in ("waiting", "leased")


@dataclass(frozen=True)
class Run:
    """An evaluator's pass over a dataset. state: "queued", "running", "finished", "failed", "cancelled" or
    "out_of_budget". tags, note: what people wrote about it. archived_at: None while it is in lists. progress: counts of
    `responses`, those `done` and `failed`, and more. spent: `tokens`, `cost_usd` (None: not known), `known_usd` of its
    known parts, and more."""

    id: int
    evaluator: str
    method: str
    model: str
    state: str
    error: str
    tags: list[str]
    note: str
    archived_at: str | None
    progress: Row
    spent: Row

    @property
    def is_active(self) -> bool:
        return self.state in ("queued", "running")

    @property
    def not_picked_up(self) -> bool:
        """Work waits, and no worker takes it up."""
        return bool(self.progress["not_picked_up"])


@dataclass(frozen=True)
class Estimate:
    """Of a run before it starts: responses, calls at most, tokens, and the price, None where it is not known. likely_…:
    with answers as long as usual; the others: at most. searches: new ones of the web, at most. known_usd: of the parts
    whose price is known; unpriced: the other parts."""

    responses: int
    known: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    likely_tokens: int
    likely_usd: float | None
    searches: int = 0
    known_usd: float = 0.0
    unpriced: Sequence[str] = ()


@dataclass(frozen=True)
class GoldVersion:
    """Gold as it stood, under a name. hash: SHA-256 of its content."""

    id: int
    version: str
    revision: int
    hash: str
    labels: int


@dataclass(frozen=True)
class Release:
    """A gold version as a file. state: "waiting", "leased", "done" or "failed"."""

    id: int
    version: str
    state: str
    error: str
    hash: str
    size: int

    @property
    def is_active(self) -> bool:
        return self.state in ("waiting", "leased")


@dataclass(frozen=True)
class ResultsImport:
    """A results bundle on its way into a dataset. state: "waiting", "leased", "done" or "failed". not_picked_up: no
    worker takes it up. report: the `runs` that were made (their numbers), how many were `unchanged`, whether gold here
    is `other_gold`, and `differences` of figures in words (None with other gold); None before the import is done."""

    id: int
    state: str
    error: str
    not_picked_up: bool
    report: Row | None

    @property
    def is_active(self) -> bool:
        return self.state in ("waiting", "leased")


@dataclass(frozen=True)
class Share:
    """A frozen comparison behind a public link. texts: whether texts are shared beside the figures. link: opens without
    a log-in; None once it is revoked."""

    id: int
    title: str
    texts: bool
    link: str | None


def read(kind: type[Value], document: Mapping[str, Any]) -> Value:
    """The value of an answer. Fields that this version does not know are left out."""
    return kind(**{each.name: document[each.name] for each in fields(kind)})  # type: ignore[arg-type]


def plain_rows(table: Iterable[Mapping[str, Any]] | pandas.DataFrame) -> Iterator[Row]:
    """The rows of a table as JSON can hold them: NaN, as pandas has it for what is missing, is None."""
    rows: Any = table.to_dict("records") if hasattr(table, "to_dict") else table
    for row in rows:
        yield {str(name): None if value != value else value for name, value in row.items()}


class Rows(list[Row]):
    """Rows of a table, each a dictionary of plain values. Each table has the columns of all rows: None where a row has
    none."""

    def to_pandas(self) -> pandas.DataFrame:
        """Needs `pip install touchstone-client[pandas]`."""
        import pandas

        table: pandas.DataFrame = pandas.DataFrame(list(self))
        return table

    def to_arrow(self) -> pyarrow.Table:
        """Needs `pip install touchstone-client[arrow]`."""
        import pyarrow

        return pyarrow.Table.from_pydict(self._columns())

    def to_dataset(self) -> datasets.Dataset:
        """Needs `pip install touchstone-client[datasets]`."""
        import datasets

        return datasets.Dataset.from_dict(self._columns())

    def _columns(self) -> dict[str, list[Any]]:
        names = dict.fromkeys(name for row in self for name in row)
        return {name: [row.get(name) for row in self] for name in names}


class Samples(Rows):
    """Samples of inspect_ai: `id`, `input`, `target` (gold of each unit), `metadata` with `units`."""

    def to_inspect(self, name: str = "") -> MemoryDataset:
        """Needs `pip install touchstone-client[inspect]`."""
        from inspect_ai.dataset import MemoryDataset, Sample

        return MemoryDataset([Sample(**row) for row in self], name=name or None)


class Report(Rows):
    """A row for each evaluator, level and slice. `f1_low` and `f1_high` are the ends of the interval of `f1`; so are
    those of the others. document: all of it, as `report --json` prints it."""

    def __init__(self, document: Row) -> None:
        super().__init__(_rows_of_report(document))
        self.document = document


class Comparison(Rows):
    """A row for each pair of evaluators: the difference of the figure, its interval (`_low`, `_high`) and p. document:
    all of it, with ranks and figures, as `compare --json` prints it."""

    def __init__(self, document: Row) -> None:
        super().__init__(dict(_flat(pair)) for pair in document["pairs"])
        self.document = document

    @property
    def ranks(self) -> Rows:
        """A row for each evaluator: its rank, None where it has none (`unranked` says why), and the range of it."""
        names = ("evaluator", "method", "model", "rank", "range", "unranked")
        return Rows(dict(_flat({name: entry[name] for name in names})) for entry in self.document["evaluators"])


class RunDiff(Rows):
    """A row for each judged part of the units: `index`, `segment`, `fact`, `text`, `gold`, and of both runs the value
    and rationale (`one`, `one_rationale`, `other`, `other_rationale`; None: no prediction). document: what the runs are
    made of that differs (`differing`), and all else but the units."""

    def __init__(self, document: Row, units: Iterable[Row]) -> None:
        super().__init__(_part_of_diff(unit, part) for unit in units for part in unit["parts"])
        self.document = document

    @property
    def counts(self) -> dict[str, int]:
        """Units that only `one` or only `other` has right, that `differ` so, and that both have `wrong` or `right`."""
        return dict(self.document["counts"])


def _part_of_diff(unit: Row, part: Row) -> Row:
    row = {"index": unit["index"], **{name: part[name] for name in ("segment", "fact", "text", "gold")}}
    for side in ("one", "other"):
        said = part[side] or {}
        row |= {side: said.get("value"), f"{side}_rationale": said.get("rationale")}
    return row


def _rows_of_report(document: Row) -> Iterator[Row]:
    for entry in document["evaluators"]:
        of_entry = {name: entry[name] for name in ("evaluator", "method", "model", "tokens", "cost_usd", "seconds")}
        for result in entry["results"]:
            slice_name = " ".join(result["slice"].values()) or "all"
            figures = {name: value for name, value in result.items() if name not in ("level", "slice")}
            yield {**of_entry, "level": result["level"], "slice": slice_name, **dict(_flat(figures))}


def _flat(fields: Mapping[str, Any]) -> Iterable[tuple[str, Any]]:
    """Plain values, and of ranges both ends."""
    for name, value in fields.items():
        if name.endswith(("interval", "range")):
            low, high = value or (None, None)
            name = name.removesuffix("interval").rstrip("_")
            yield from ((f"{name}_low".lstrip("_"), low), (f"{name}_high".lstrip("_"), high))
        elif not isinstance(value, dict | list):
            yield name, value
