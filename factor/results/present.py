"""What the results page shows of a report."""

from typing import Any

from factor.results.charts import charts_of
from factor.results.chosen import ResultsState
from factor.results.pairs import matrix_of, named_pairs
from factor.results.shown import rows_of
from factor.results.tables import PARTED, groups_of, tables_of

Document = dict[str, Any]

# A larger table of pairs is shown when it is asked for.
MOST_IN_MATRIX = 12


def present(report: Document, chosen: ResultsState) -> Document:
    rows = rows_of(report, chosen)
    tables = tables_of(report, rows, chosen)
    shown = chosen.every_pair or len(rows) <= MOST_IN_MATRIX
    return {
        "report": report,
        "rows": rows,
        "tables": tables,
        "charts": charts_of(report, rows, chosen),
        "matrix": matrix_of(report["pairs"], rows) if shown else None,
        "retrieval": named_pairs(report["retrieval"], report["scorings"]),
        "parted": [_parted(kind, report) | {"table": tables[kind]} for kind in PARTED],
        "names": {each["scoring"]: each["name"] for each in report["scorings"]},
    }


def _parted(kind: str, report: Document) -> Document:
    """A table of scorings by groups: `groups` its columns, `lines` the name and figures of each scoring."""
    title, _, names = PARTED[kind]
    groups = groups_of(report, kind)
    lines = []
    for each in report["scorings"]:
        parts = {part["name"]: part for part in each[kind]}
        lines.append((each, [parts.get(group) for group in groups]))
    return {"kind": kind, "title": title, "groups": [names[group] for group in groups], "lines": lines}
