"""The tables of the statistics page for download, unrounded: CSV, Markdown and LaTeX."""

from collections.abc import Iterator

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from annotate.access import MemberRequest, fetch_dataset
from annotate.models import Role
from annotate.statistics.figures import build_dataset_stats
from annotate.statistics.tables import (
    Document,
    FigureTable,
    classes_table,
    counts_table,
    domains_table,
    positions_table,
    subjects_table,
)
from core.table_response import requested_table
from core.tables import Cell, Table


@require_safe
def statistics_tables(request: MemberRequest, pk: int) -> HttpResponse:
    """?table= names one of the page's tables, ?as= its form."""
    dataset = fetch_dataset(request.user, pk, Role.RESEARCHER, Role.ADJUDICATOR)
    answer = requested_table(request, tables_of(build_dataset_stats(dataset)))
    if answer is None:
        raise Http404("Name a table of the statistics page.")
    return answer


def tables_of(stats: Document) -> Iterator[Table]:
    """Tables from the document of `dataset_stats`; the page links to them by their names."""
    if not stats["subjects"]:
        yield _table("sizes", "Sizes", "Domain", domains_table(stats))
        yield _table("error-types", "Error types", "Type", counts_table(stats, "error_types"))
        yield _table("sources", "Sources of the prompts", "Source", counts_table(stats, "sources"))
        return
    yield _sizes_of_subjects(stats)
    yield _table("by-frequency", "Supported facts by frequency", "Frequency", classes_table(stats, "by_frequency"))
    yield _table(
        "by-frequency-responding",
        "Supported facts by frequency, of the prompts responded to",
        "Frequency",
        classes_table(stats, "by_frequency_responding"),
    )
    yield _table(
        "by-nationality", "Supported facts by nationality", "Nationality", classes_table(stats, "by_nationality")
    )
    yield _table("by-place", "Supported facts by their place", "Place", positions_table(stats))


def _sizes_of_subjects(stats: Document) -> Table:
    """The page tells the interval in one line of text; here its ends have a line each."""
    sizes = _table("sizes", "Sizes", "Each subject model", subjects_table(stats))
    intervals = [figures["factscore_interval"] or (None, None) for figures in stats["subjects"]]
    ends = [[f"FActScore {end}", *(each[place] for each in intervals)] for place, end in enumerate(("low", "high"))]
    rows = [row for row in sizes.rows if not any(isinstance(cell, str) for cell in row[1:])]
    return Table(sizes.name, sizes.title, sizes.columns, [*rows, *ends])


def _table(name: str, title: str, first: str, figures: FigureTable) -> Table:
    """The figures as a table; a cell without a number gives its text."""
    rows: list[list[Cell]] = [
        [line.name, *(_cell(cell.value, cell.text) for cell in line.cells)] for line in figures.lines
    ]
    return Table(name, title, (first, *figures.heads), rows)


def _cell(value: float | None, text: str) -> Cell:
    if value is not None:
        return value
    return None if text in ("", "–") else text
