"""The passages of claims: each content stored once a dataset, whichever claims and imports name it."""

import hashlib
import json
from collections.abc import Iterator, Sequence

from annotate.corpus.inserting import insert_rows
from annotate.corpus.rows import PassageRow
from annotate.models import ClaimPassage, Dataset, SourcePassage

# Keeps `IN (...)` below the number of parameters that SQLite takes.
BATCH = 500


def write_passages(dataset: Dataset, claims: Sequence[tuple[int, Sequence[PassageRow]]]) -> None:
    """Store the passages of claims (keys of their segments) that have none yet, in their order."""
    placed = [
        (claim, place, hash_of(passage), passage)
        for claim, passages in claims
        for place, passage in enumerate(passages)
    ]
    by_hash = {key: passage for _, _, key, passage in placed}
    insert_rows(
        SourcePassage,
        ("dataset", "hash", "title", "url", "text"),
        ((dataset.pk, key, passage.title, passage.url, passage.text) for key, passage in by_hash.items()),
        pass_over=True,
    )
    stored = dict(_keys(dataset, list(by_hash)))
    insert_rows(
        ClaimPassage, ("claim", "position", "passage"), ((claim, place, stored[key]) for claim, place, key, _ in placed)
    )


def hash_of(passage: PassageRow) -> str:
    """SHA-256 of the content, as hexadecimal digits."""
    content = json.dumps([passage.title, passage.url, passage.text], ensure_ascii=False)
    return hashlib.sha256(content.encode()).hexdigest()


def _keys(dataset: Dataset, hashes: Sequence[str]) -> Iterator[tuple[str, int]]:
    for start in range(0, len(hashes), BATCH):
        rows = SourcePassage.objects.filter(dataset=dataset, hash__in=hashes[start : start + BATCH])
        yield from rows.values_list("hash", "pk")
