"""Pairs of sentences before and after editing, as JSON lines (docs/editing.md, Files)."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from evaluators.editing.read import EditedSentence, read_edits
from evaluators.editing.results import accepted_of
from evaluators.models import Run


def export_pairs(run: Run) -> Iterator[str]:
    """A line a sentence, in reading order."""
    yield from (json.dumps(row, ensure_ascii=False) for row in pairs_of(run, read_edits(run), accepted_in(run)))


def accepted_in(run: Run) -> dict[int, bool]:
    """Whether raters accept an edit (primary key), where that is decided."""
    return accepted_of(list(run.edit_samples.order_by("pk")))


def pairs_of(run: Run, edits: Iterable[EditedSentence], accepted: Mapping[int, bool]) -> Iterator[dict[str, Any]]:
    """Each edit: before, after (null where unparsed), people's correction (null where there is none), the facts with
    their labels, and whether raters accept it (null before that is decided)."""
    for each in edits:
        yield {
            "index": each.index,
            "subject": each.subject,
            "sentence": each.position,
            "editor": run.evaluator.name,
            "state": each.state,
            "before": each.text,
            "after": each.edit,
            "correction": each.correction,
            "facts": [{"text": fact.text, "supported": fact.supported} for fact in each.facts],
            "accepted": accepted.get(each.edit_id),
        }
