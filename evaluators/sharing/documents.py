"""The documents of a shared comparison: plain JSON; None is undefined or unknown. No person is named in them."""

from typing import Any, NotRequired, TypedDict

from core.tables import Cell, PrintedTable, Table
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


class SharedPrinted(TypedDict):
    """A PrintedTable. columns: pairs of name and title, for databases do not keep the order of an object's keys."""

    columns: list[list[str]]
    caption: str
    bold: list[int]
    bold_column: str
    ends: dict[str, list[str]]
    titles: dict[str, str]
    optional: list[str]


class SharedTable(TypedDict):
    """printed: not there in documents that were frozen before it was kept."""

    name: str
    title: str
    columns: list[str]
    rows: list[list[Cell]]
    printed: NotRequired[SharedPrinted | None]


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
        "printed": _freeze_printed(table.printed) if table.printed else None,
    }


def _freeze_printed(printed: PrintedTable) -> SharedPrinted:
    return {
        "columns": [[name, title] for name, title in printed.columns.items()],
        "caption": printed.caption,
        "bold": sorted(printed.bold),
        "bold_column": printed.bold_column,
        "ends": {name: [low, high] for name, (low, high) in printed.ends.items()},
        "titles": dict(printed.titles),
        "optional": sorted(printed.optional),
    }


def thaw_table(table: SharedTable) -> Table:
    found = table.get("printed")
    return Table(
        table["name"], table["title"], table["columns"], table["rows"], _thaw_printed(found) if found else None
    )


def _thaw_printed(printed: SharedPrinted) -> PrintedTable:
    return PrintedTable(
        columns=dict(printed["columns"]),
        caption=printed["caption"],
        bold=frozenset(printed["bold"]),
        bold_column=printed["bold_column"],
        ends={name: (low, high) for name, (low, high) in printed["ends"].items()},
        titles=printed["titles"],
        optional=printed["optional"],
    )
