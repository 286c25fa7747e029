"""What was learnt of how a model wants to be asked (llm/dialects.py), kept for all workers."""

from collections.abc import Sequence

from llm.dialects import Change, Changes
from llm.models import Adaptation, Endpoint


def known_changes(endpoint: Endpoint, model: str) -> Changes:
    rows = Adaptation.objects.filter(endpoint=endpoint, model=model).order_by("pk")
    changes = map(change_of, rows)
    return {change.key: change for change in changes}


def change_of(row: Adaptation) -> Change:
    return Change(row.parameter, row.way, row.value, said=row.said)


def keep_changes(endpoint: Endpoint, model: str, changes: Sequence[Change]) -> None:
    """Another worker may have learnt the same meanwhile: what was learnt last holds."""
    Adaptation.objects.bulk_create(
        [
            Adaptation(
                endpoint=endpoint,
                model=model,
                parameter=change.parameter,
                way=change.way,
                value=change.value,
                said=change.said,
            )
            for change in changes
        ],
        update_conflicts=True,
        unique_fields=["endpoint", "model", "parameter", "way"],
        update_fields=["value", "said"],
    )
