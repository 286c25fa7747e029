"""The documents of a shared comparison: plain JSON; None is undefined or unknown. No person is named in them."""

from typing import Any, TypedDict

from core.tables import Cell, Table
from evaluators.comparison.documents import ComparedPair


class SharedGold(TypedDict):
    """version: None where current gold was shared; revision: the number of changes of gold that it holds."""

    version: str | None
    revision: int


class SharedEvaluator(TypedDict):
    """A line of the table. ranks: as printed, "" without a rank. unranked: why it has none."""

    evaluator: str
    method: str
    model: str
    baseline: bool
    ranks: str
    together: str
    unranked: str | None
    value: float | None
    why: str
    interval: list[float] | None
    withheld: str
    coverage: float | None


class SharedTable(TypedDict):
    name: str
    title: str
    columns: list[str]
    rows: list[list[Cell]]


class SharedFigures(TypedDict):
    """n: units with gold that count. test: a sentence. manifest: of each evaluator that is no baseline, what repeats
    its last run, without addresses and names of files."""

    dataset: str
    scheme: str
    gold: SharedGold
    level: str
    level_title: str
    figure: str
    figure_title: str
    slices: list[str]
    n: int
    error_prompts: int
    test: str
    seed: int
    resamples: int
    permutations: int
    least_coverage: float
    shared_on: str
    software: dict[str, Any]
    evaluators: list[SharedEvaluator]
    pairs: list[ComparedPair]
    tables: list[SharedTable]
    manifest: dict[str, dict[str, Any]]


class SharedAnswer(TypedDict):
    """value: None where there is no prediction, or none that could be parsed."""

    evaluator: str
    value: str | None
    unparsed: bool
    score: float | None
    rationale: str


class SharedPart(TypedDict):
    text: str
    gold: str | None
    error_type: str
    answers: list[SharedAnswer]


class SharedUnit(TypedDict):
    """A unit in its response; passage: its own text in it, "" where it is the whole response."""

    index: str
    domain: str
    subject: str
    prompt: str
    response: str
    passage: str
    parts: list[SharedPart]


class SharedUnits(TypedDict):
    """of: how many units count; `units` has the first of them."""

    of: int
    units: list[SharedUnit]


def freeze_table(table: Table) -> SharedTable:
    return {
        "name": table.name,
        "title": table.title,
        "columns": list(table.columns),
        "rows": [list(row) for row in table.rows],
    }


def thaw_table(table: SharedTable) -> Table:
    return Table(table["name"], table["title"], table["columns"], table["rows"])
