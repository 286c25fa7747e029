"""The order of rows in the address of the pages of subject models, and the rows in that order."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

from django.http import QueryDict

from stats.f1_at_k import AtK, SubjectAtK
from stats.reference_recall import ReferenceRecall

Row = TypeVar("Row", bound=Mapping[str, object])
# Columns of recall that sort the pages' tables.
OF_RECALL = ("f1", "recall", "reference")


class RecallRow(SubjectAtK):
    """A subject's figures at K. reference: its recall of the facts on lists, over `listed` responses; None without
    lists."""

    reference: float | None
    reference_interval: list[float] | None
    listed: int


def read_order(query: QueryDict, known: Collection[str], default: str) -> str:
    """?sort=: the key of a column, after a minus descending; the default where there is no such column."""
    order = query.get("sort", default)
    return order if order.removeprefix("-") in known else default


def in_order(rows: Sequence[Row], order: str, recall: Mapping[str, RecallRow]) -> list[Row]:
    """The rows by the column that `order` names; undefined ones last, whether rising or falling.

    rows: of subjects. recall: their recall, by name; the columns OF_RECALL are of it.
    """
    key, falling = order.removeprefix("-"), order.startswith("-")

    def value(row: Row) -> Any:
        found: Mapping[str, object] = recall[str(row["subject"])] if key in OF_RECALL else row
        return found[key]

    defined = sorted((row for row in rows if value(row) is not None), key=value, reverse=falling)
    return defined + [row for row in rows if value(row) is None]


def by_subject(at_k: AtK | None, reference: ReferenceRecall | None) -> dict[str, RecallRow]:
    """The rows of both by the names of the subjects. at_k: None where F1@K is undefined."""
    listed = {row["subject"]: row for row in reference["subjects"]} if reference else {}
    rows: dict[str, RecallRow] = {}
    for row in at_k["subjects"] if at_k else [_without_k(name) for name in listed]:
        own = listed.get(row["subject"])
        rows[row["subject"]] = {
            **row,
            "reference": own["recall"] if own else None,
            "reference_interval": own["recall_interval"] if own else None,
            "listed": own["n"] if own else 0,
        }
    return rows


def _without_k(subject: str) -> SubjectAtK:
    return {
        "subject": subject,
        "n": 0,
        "left_out": 0,
        "f1": None,
        "f1_interval": None,
        "recall": None,
        "recall_interval": None,
        "precision": None,
        "precision_interval": None,
    }
