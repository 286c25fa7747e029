"""The tables of the statistics page for download, unrounded: CSV, Markdown and LaTeX."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotate.models import Scheme
from annotate.statistics.caption import data_of, intervals_of
from annotate.statistics.tables import (
    INTERVAL,
    Document,
    FigureTable,
    classes_table,
    counts_table,
    domains_table,
    positions_table,
    subjects_table,
)
from core.tables import Cell, PrintedTable, Table, with_ends

# Of the sizes of subject models, the columns that are printed unless others are chosen.
KEPT_SIZES = ("Subject model", "Prompts", "Responding", "Facts a response", "FActScore")
OF_ALL = "over all prompts of the class, where a response that abstains counts 0"
OF_RESPONDING = "over the prompts of the class that were responded to"


def tables_of(stats: Document) -> Iterator[Table]:
    """Tables from the document of `dataset_stats` of gold in force; the page links to them by their names."""
    data = data_of(stats["dataset"], None)
    if not stats["subjects"]:
        yield from _of_domains(stats, data)
        return
    yield _sizes_of_subjects(stats, data)
    asked, responding = (_counted(stats["subjects"], key) for key in ("prompts", "responding"))
    for key, what, head, among in (
        ("by_frequency", "by frequency of the topic", "Frequency", f"{OF_ALL} (prompts: {asked})"),
        ("by_frequency_responding", "by frequency of the topic", "Frequency", f"{OF_RESPONDING} ({responding})"),
        ("by_nationality", "by nationality of the topic", "Nationality", f"{OF_ALL} (prompts: {asked})"),
    ):
        caption = f"Share of supported facts {what} on {data}, {among}."
        yield _table(key.replace("_", "-"), "the shares", head, classes_table(stats, key), caption)
    yield _by_place(stats, data)


def _by_place(stats: Document, data: str) -> Table:
    facts = ", ".join(
        f"{figures['subject']} {sum(part['n'] for part in figures['precision']['by_position']):,}"
        for figures in stats["subjects"]
    )
    caption = f"Share of supported facts by their place in the response on {data} (facts: {facts})."
    return _table("by-place", "the shares", "Place", positions_table(stats), caption)


def _of_domains(stats: Document, data: str) -> Iterator[Table]:
    whole, word = stats["slices"][0], Scheme(stats["scheme"]).segments
    n = f"n = {whole['responses']:,} responses, {whole['segments']:,} {word}"
    yield _table("sizes", "the sizes", "Domain", domains_table(stats), f"Sizes of {data} by domain ({n}).")
    caption = f"Errors by type on {data} (n = {sum(whole['error_types'].values()):,})."
    yield _table("error-types", "the error types", "Type", counts_table(stats, "error_types"), caption)
    caption = f"Responses by the source of their prompt in {data} (n = {sum(whole['sources'].values()):,})."
    yield _table("sources", "the sources", "Source", counts_table(stats, "sources"), caption)


def _counted(subjects: Sequence[Mapping[str, Any]], key: str) -> str:
    return ", ".join(f"{figures['subject']} {figures[key]:,}" for figures in subjects)


def _sizes_of_subjects(stats: Document, data: str) -> Table:
    """The page's table turned over, a line a subject model, with the ends of the interval."""
    lines = [line for line in subjects_table(stats).lines if line.name != INTERVAL]
    columns = ("Subject model", *(line.name for line in lines), "FActScore low", "FActScore high")
    rows: list[list[Cell]] = [
        [
            figures["subject"],
            *(line.cells[place].value for line in lines),
            *with_ends(figures["factscore"], figures["factscore_interval"])[1:],
        ]
        for place, figures in enumerate(stats["subjects"])
    ]
    caption = (
        f"Sizes, and FActScore by gold, of subject models on {data}, with {intervals_of()}. Differences are not tested."
    )
    return Table("sizes", "the sizes", columns, rows, _printed(KEPT_SIZES, caption))


def _table(name: str, title: str, first: str, figures: FigureTable, caption: str) -> Table:
    """The figures as a table; a cell without a number gives its text."""
    rows: list[list[Cell]] = [
        [line.name, *(_cell(cell.value, cell.text) for cell in line.cells)] for line in figures.lines
    ]
    columns = (first, *figures.heads)
    return Table(name, title, columns, rows, _printed(columns, caption))


def _printed(columns: Sequence[str], caption: str) -> PrintedTable:
    return PrintedTable({name: name for name in columns}, caption)


def _cell(value: float | None, text: str) -> Cell:
    if value is not None:
        return value
    return None if text in ("", "–") else text
