"""Give gold as it stands a name. A version never changes, and its hash says so."""

import hashlib
import json

from django.db import transaction

from annotate.models import Dataset, GoldLabel, GoldVersion, User

LONGEST_NAME = 100


class FreezeError(ValueError):
    """Gold cannot be frozen under this name now; the message says why. Nothing was changed."""


@transaction.atomic
def freeze_gold(dataset: Dataset, name: str, who: User | None = None) -> GoldVersion:
    """A version of the dataset's gold in force; `who` is None on the command line.

    Raises FreezeError for an empty, long or taken name, while an import is unfinished, and where there is no gold.
    """
    dataset = Dataset.objects.select_for_update().get(pk=dataset.pk)
    name = name.strip()
    if not name or len(name) > LONGEST_NAME:
        raise FreezeError(f"a version has a name of 1 to {LONGEST_NAME} characters")
    if dataset.gold_versions.filter(name=name).exists():
        raise FreezeError(f"{dataset.name} has a gold version {name!r} already")
    if dataset.imports.filter(finished_at__isnull=True, abandoned=False).exists():
        raise FreezeError(f"an import into {dataset.name} is not finished: wait for it or run it again")
    digest, labels = hash_gold(dataset, dataset.gold_revision)
    if not labels:
        raise FreezeError(f"{dataset.name} has no gold yet")
    return GoldVersion.objects.create(
        dataset=dataset, name=name, revision=dataset.gold_revision, hash=digest, labels=labels, created_by=who
    )


def hash_gold(dataset: Dataset, revision: int) -> tuple[str, int]:
    """SHA-256 over the gold of this revision, and how many labels it has.

    One strict JSON line a label, sorted by address: [index, segment, fact, text, value, error type, reason,
    references]. So two databases with the same gold give the same hash.
    """
    digest = hashlib.sha256()
    count = 0
    for row in _rows(dataset, revision):
        digest.update(json.dumps(row, ensure_ascii=True, separators=(",", ":")).encode() + b"\n")
        count += 1
    return digest.hexdigest(), count


def _rows(dataset: Dataset, revision: int) -> list[tuple[object, ...]]:
    gold = (
        GoldLabel.objects.of(dataset)
        .at(revision)
        .without_removed(revision)
        .select_related("segment__response", "fact")
        .prefetch_related("references")
        .iterator(chunk_size=1000)
    )
    return [
        (
            label.segment.response.index,
            label.segment.position,
            label.fact.position if label.fact else None,
            (label.fact or label.segment).text,
            label.value,
            label.error_type,
            label.reason,
            [link.url for link in label.references.all()],
        )
        # By outside index, not by place in the dataset: the same rows in another order are the same gold.
        for label in sorted(gold, key=_address)
    ]


def _address(label: GoldLabel) -> tuple[str, int, int]:
    return (
        label.segment.response.index,
        label.segment.position,
        -1 if label.fact is None else label.fact.position,
    )
