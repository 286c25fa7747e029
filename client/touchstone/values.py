"""What the server answers with, as plain values and tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import datasets
    import pandas
    import pyarrow

Value = TypeVar("Value")
Row = dict[str, Any]


@dataclass(frozen=True)
class Dataset:
    """scheme: "felm" or "factscore". gold_revision counts the changes of gold."""

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
    "out_of_budget". progress: counts of `responses`, those `done` and `failed`, and more. spent: `tokens`, `cost_usd`
    (None: not known), and more."""

    id: int
    evaluator: str
    method: str
    model: str
    state: str
    error: str
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
    """Of a run before it starts: responses, calls at most, tokens, and the price, None where it is not known."""

    responses: int
    known: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


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
