"""Labels as a file of the format that import_labels reads."""

import json
from collections.abc import Iterator

from django.db.models import F

from annotate.export.export_format import ExportFormat
from annotate.links.frozen import frozen_pages, with_snapshots
from annotate.models import Dataset, Label


def export_labels(dataset: Dataset) -> Iterator[str]:
    """One JSON line a judgement in force, by response, segment, fact and annotator.

    It has the names of everybody, with whom it is imported again, and so it is for the command line alone.
    """
    labels = (
        Label.objects.of(dataset)
        .real()
        .in_force()
        .select_related("segment__response", "fact", "assignment__annotator", "assignment__task")
        .prefetch_related(with_snapshots())
        .order_by(
            "segment__response__position",
            "segment__position",
            F("fact__position").asc(nulls_first=True),
            "assignment__annotator__username",
        )
    )
    for label in labels.iterator(chunk_size=1000):
        yield json.dumps(_row(label), ensure_ascii=False)


def _row(label: Label) -> dict[str, object]:
    """`snapshots` is there only where a page was frozen, `probability` where the task was drawn with one."""
    links = list(label.references.all())
    frozen = frozen_pages(links)
    return {
        "index": label.segment.response.index,
        "segment": label.segment.position,
        "fact": label.fact.position if label.fact else None,
        "annotator": label.assignment.annotator.username,
        "value": label.value,
        "error_type": label.error_type or None,
        "reason": label.reason or None,
        "references": [link.location for link in links],
        **({"snapshots": frozen} if frozen else {}),
        **({} if label.probability is None else {"probability": label.probability}),
    }


FORMAT = ExportFormat("labels", lambda asked: export_labels(asked.dataset), is_whole=True, of_people=True)
