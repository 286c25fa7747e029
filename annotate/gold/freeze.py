"""Give gold as it stands a name. A version never changes, and its hash says so."""

import hashlib
import json
from collections.abc import Iterator, Sequence

from django.db import transaction

from annotate.gold.signals import gold_frozen
from annotate.links.frozen import with_snapshots
from annotate.models import Dataset, GoldEdit, GoldLabel, GoldVersion, User
from core.chunks import in_chunks

LONGEST_NAME = 100
RESPONSES_AT_ONCE = 100  # 20,000 responses of FELM take 100 MiB so, all at once 700


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
    version = GoldVersion.objects.create(
        dataset=dataset, name=name, revision=dataset.gold_revision, hash=digest, labels=labels, created_by=who
    )
    gold_frozen.send(GoldVersion, version=version)
    return version


def hash_gold(dataset: Dataset, revision: int) -> tuple[str, int]:
    """SHA-256 over the gold of this revision, and how many labels it has.

    One strict JSON line a label, sorted by address: [index, segment, fact, text, value, error type, reason,
    [urls]], and one item more where any of this is said: [kind of irrelevance, tag, [documents that are cited without a
    url]]. Then one line a correction in force, sorted likewise: [index, segment, text]. So two databases with the same
    gold give the same hash.
    """
    digest, labels = hashlib.sha256(), 0
    for row in _labels(dataset, revision):
        digest.update(_line(row))
        labels += 1
    for row in _corrections(dataset, revision):
        digest.update(_line(row))
    return digest.hexdigest(), labels


def _line(row: Sequence[object]) -> bytes:
    return json.dumps(row, ensure_ascii=True, separators=(",", ":")).encode() + b"\n"


def _labels(dataset: Dataset, revision: int) -> Iterator[tuple[object, ...]]:
    gold = (
        GoldLabel.objects.of(dataset)
        .at(revision)
        .without_removed(revision)
        .select_related("segment__response", "fact")
        .prefetch_related(with_snapshots())
    )
    # By outside index, not by place in the dataset: the same rows in another order are the same gold.
    responses = [key for _, key in sorted(dataset.responses.values_list("index", "pk"))]
    for some in in_chunks(responses, RESPONSES_AT_ONCE):
        for label in sorted(gold.filter(segment__response__in=some), key=_address):
            yield (
                label.segment.response.index,
                label.segment.position,
                label.fact.position if label.fact else None,
                (label.fact or label.segment).text,
                label.value,
                label.error_type,
                label.reason,
                [link.url for link in label.references.all()],
                *_besides(label),
            )


def _besides(label: GoldLabel) -> list[tuple[object, ...]]:
    """Empty without such values, so that the line of such a label is unchanged from before they existed."""
    documents = [link.location for link in label.references.all() if link.document is not None and not link.url]
    besides = (label.irrelevance, label.tag, documents)
    return [besides] if any(besides) else []


def _corrections(dataset: Dataset, revision: int) -> list[tuple[str, int, str]]:
    edits = GoldEdit.objects.of(dataset).at(revision).without_removed(revision)
    return sorted(edits.values_list("segment__response__index", "segment__position", "text"))


def _address(label: GoldLabel) -> tuple[str, int, int]:
    return (
        label.segment.response.index,
        label.segment.position,
        -1 if label.fact is None else label.fact.position,
    )
