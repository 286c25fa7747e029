"""The documents of a source, and their identity."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from knowledge.models import Document, KnowledgeSource
from knowledge.passages import Span

LONGEST_KEY = 500


@dataclass(frozen=True)
class NewDocument:
    """A document on its way into a source.

    `passages` are the pieces of its text that it is searched by, `redirects` other names that lead to it, `published`
    its date, None where nothing says it.
    """

    key: str
    title: str
    url: str
    text: str
    passages: tuple[Span, ...]
    redirects: tuple[str, ...] = ()
    published: date | None = None


def content_hash(title: str, url: str, text: str) -> str:
    """SHA-256 of a document's content: 64 hexadecimal digits."""
    return hashlib.sha256(json.dumps([title, url, text], ensure_ascii=False).encode()).hexdigest()


def contents(source: KnowledgeSource) -> Iterator[tuple[str, bytes]]:
    """Key and content hash (32 bytes) of every document that is there."""
    rows = Document.objects.visible().filter(source=source).values_list("key", "content_hash")
    return ((key, bytes.fromhex(content)) for key, content in rows.iterator(chunk_size=5000))
