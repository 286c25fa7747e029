"""Documents into a source: written in short transactions, visible all at once or not at all.

One import at a time has a source. Its sign on the source's row is renewed with each chunk. An old sign belongs to a
killed import; the next import takes over and deletes its documents.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from uuid import uuid4

from django.conf import settings
from django.db import reset_queries, transaction
from django.db.models import Q
from django.utils import timezone

from knowledge.documents import NewDocument, content_hash
from knowledge.index_files import build_index, sweep_editions
from knowledge.models import Document, KnowledgeSource, Passage, Redirect
from knowledge.titles import plain_title, title_key

# Documents deleted in one transaction.
CHUNK = 200


class SourceBusyError(Exception):
    """Another import has the source."""


@contextmanager
def writing_into(name: str, tokenizer: str = "sentences") -> Iterator["DocumentWriter"]:
    """Take the source of that name for writing, and make it where there is none, shared with every dataset;
    `tokenizer` is stored with a new one.

    The documents are visible and searched once the block has ended; if it ends with an error, none of them is. Raises
    SourceBusyError where another import has the source, or took it because this one stood still.
    """
    writer = DocumentWriter(_take(name, tokenizer))
    try:
        writer.clear()
        yield writer
        writer.finish()
    except BaseException:
        writer.undo()
        raise


class DocumentWriter:
    def __init__(self, source: KnowledgeSource) -> None:
        self.source = source
        self.written = 0
        # Called about once a second while the index is built.
        self.on_beat: Callable[[], object] = lambda: None
        self._beaten = time.monotonic()
        self._own = KnowledgeSource.objects.filter(pk=source.pk, writer=source.writer)
        self._new = Document.objects.filter(source=source, revision__gt=source.revision)

    def write(self, documents: Sequence[NewDocument]) -> None:
        """Store a chunk of them, not yet visible, in one transaction."""
        with transaction.atomic():
            self.beat()
            rows = Document.objects.bulk_create([self._row(document) for document in documents])
            Passage.objects.bulk_create(
                [
                    Passage(document=row, position=position, start=start, end=end)
                    for row, document in zip(rows, documents, strict=True)
                    for position, (start, end) in enumerate(document.passages)
                ],
                batch_size=2000,
            )
            Redirect.objects.bulk_create(
                [
                    Redirect(source=self.source, name=name, name_key=title_key(name), document=row)
                    for row, document in zip(rows, documents, strict=True)
                    for name in {title_key(name): name for name in document.redirects}.values()
                ],
                batch_size=2000,
            )
        self.written += len(documents)
        # With DEBUG on Django keeps the text of every query.
        reset_queries()

    def beat(self) -> None:
        """Say that the import lives; in a transaction nobody can take the source until it ends."""
        if not self._own.update(beat_at=timezone.now()):
            raise SourceBusyError(f"the import into {self.source} stood still, and another took its place")
        self._beaten = time.monotonic()

    def finish(self) -> None:
        """Make the written documents visible, in one statement, with the index that covers them."""
        if not self.written:
            self._own.update(writer="", beat_at=None)
            return
        edition, revision = uuid4().hex, self.source.revision + 1
        build_index(self.source, edition, revision, self._beat_each_second)
        if not self._own.update(revision=revision, edition=edition, writer="", beat_at=None):
            raise SourceBusyError(f"the import into {self.source} stood still, and another took its place")
        self.source.refresh_from_db()
        sweep_editions(self.source)

    def clear(self) -> None:
        """Delete the documents that are not visible: of a killed import, or of one that is about to be undone."""
        while leftovers := list(self._new.order_by("pk").values_list("pk", flat=True)[:CHUNK]):
            with transaction.atomic():
                self.beat()
                Document.objects.filter(pk__in=leftovers).delete()

    def undo(self) -> None:
        """Leave the source as it was, unless another import has it by now."""
        if not self._own.exists():
            return
        self.clear()
        if self.source.revision == 0:
            self._own.delete()
        else:
            self._own.update(writer="", beat_at=None)

    def _beat_each_second(self) -> None:
        if time.monotonic() - self._beaten > 1:
            self.beat()
            self.on_beat()

    def _row(self, document: NewDocument) -> Document:
        return Document(
            source=self.source,
            key=document.key,
            title=document.title,
            title_key=title_key(document.title),
            plain_title=plain_title(document.title),
            url=document.url,
            text=document.text,
            published=document.published,
            content_hash=content_hash(document.title, document.url, document.text),
            revision=self.source.revision + 1,
        )


def _take(name: str, tokenizer: str) -> KnowledgeSource:
    source, _ = KnowledgeSource.objects.get_or_create(name=name, defaults={"shared": True})
    now = timezone.now()
    free = Q(writer="") | Q(beat_at__lt=now - timedelta(seconds=settings.RUN_LEASE_SECONDS))
    if not KnowledgeSource.objects.filter(free, pk=source.pk).update(writer=uuid4().hex, beat_at=now):
        raise SourceBusyError(f"another import into {name} is under way")
    # Also where an import left it that was killed before anything of it was visible.
    KnowledgeSource.objects.filter(pk=source.pk, revision=0).update(tokenizer=tokenizer)
    source.refresh_from_db()
    return source
