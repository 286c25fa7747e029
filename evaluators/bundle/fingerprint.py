"""Whether two databases hold the same dataset, as far as predictions can tell: their addresses count its parts."""

import hashlib
import json
from collections import defaultdict

from annotate.facts.judged import judged_addresses
from annotate.gold.freeze import hash_gold
from annotate.models import AtomicFact, Dataset, Segment
from evaluators.bundle.contents import Gold

CHUNK = 2_000


def fingerprint(dataset: Dataset) -> str:
    """SHA-256 over all that is judged: a strict JSON line a response, sorted by index: [index, subject, abstained,
    text, [[segment's text, [texts of its judged facts]], …]]."""
    texts = dict(AtomicFact.objects.filter(segment__response__dataset=dataset).values_list("pk", "text"))
    facts = {key: [texts[fact] for fact, _ in of] for key, of in judged_addresses(dataset).items()}
    segments: defaultdict[int, list[tuple[str, list[str]]]] = defaultdict(list)
    rows = Segment.objects.filter(response__dataset=dataset).order_by("response", "position")
    for response, key, text in rows.values_list("response", "pk", "text").iterator(CHUNK):
        segments[response].append((text, facts.get(key, [])))
    digest = hashlib.sha256()
    responses = dataset.responses.visible().order_by("index").values_list("pk", "index", "subject", "abstained", "text")
    for key, *described in responses.iterator(CHUNK):
        line = json.dumps([*described, segments[key]], ensure_ascii=True, separators=(",", ":"))
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()


def gold_of(dataset: Dataset, version: str | None) -> Gold:
    """The gold of a frozen version, or in force (None). DataError: no such version."""
    digest, labels = hash_gold(dataset, dataset.find_gold_revision(version or ""))
    return Gold(version, digest, labels)
