"""A source's search index as files, memory mapped: DATA_DIR/knowledge/<source>/<edition>/.

An edition's folder appears whole by one rename and never changes. Two processes that build the same edition do the same
work twice, and the one that comes second throws its own away. Files that are lost are built anew by the next search.
"""

import logging
import shutil
import tempfile
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from knowledge.index_build import IndexBuilder
from knowledge.models import Document, KnowledgeSource
from knowledge.source_index import SourceIndex

LOGGER = logging.getLogger("touchstone.knowledge")
# Documents read at a time.
CHUNK = 50
UNFINISHED = "unfinished-"
# The edition of a source that nothing was ever imported into.
NO_IMPORT = "empty"
# Seconds after which a folder that was not finished is one of a process that was killed.
ABANDONED = 24 * 3600


def index_of(source: KnowledgeSource) -> SourceIndex:
    """The index over the passages of the complete imports of the source, which was just read from the database.

    `keys` are the passages' primary keys, ascending.
    """
    folder = folder_of(source, source.edition)
    if not folder.is_dir():
        build_index(source, source.edition, source.revision)
    return _open(folder)


def build_index(source: KnowledgeSource, edition: str, revision: int, beat: Callable[[], None] = lambda: None) -> None:
    """Write the files of an edition that covers the documents up to this revision; `beat` is called for each."""
    folder = folder_of(source, edition)
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=folder.parent))
    try:
        builder = IndexBuilder(unfinished)
        documents = Document.objects.filter(source=source, revision__lte=revision).order_by("pk")
        for document in documents.prefetch_related("passages").iterator(chunk_size=CHUNK):
            beat()
            for passage in document.passages.all():
                builder.add(passage.pk, document.text[passage.start : passage.end])
        builder.finish(beat)
        _publish(unfinished, folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def sweep_editions(source: KnowledgeSource) -> None:
    """Delete the files of the source's former editions, and unfinished files of a killed process."""
    for folder in folder_of(source, source.edition).parent.iterdir():
        unfinished = folder.name.startswith(UNFINISHED)
        if folder.name != (source.edition or NO_IMPORT) and not (
            unfinished and time.time() - folder.stat().st_mtime < ABANDONED
        ):
            shutil.rmtree(folder, ignore_errors=True)


def delete_index(source_pk: int) -> None:
    """Delete all files of a source that is deleted. What cannot be deleted is named in the log and left."""
    folder = _files_of(source_pk)
    shutil.rmtree(folder, ignore_errors=True)
    if folder.exists():
        LOGGER.warning("The search index in %s of a deleted source could not be deleted.", folder)


def folder_of(source: KnowledgeSource, edition: str) -> Path:
    return _files_of(source.pk) / (edition or NO_IMPORT)


def _files_of(source_pk: int) -> Path:
    return Path(settings.DATA_DIR) / "knowledge" / str(source_pk)


def _publish(unfinished: Path, folder: Path) -> None:
    try:
        unfinished.rename(folder)
    except OSError:
        # Another process came first.
        if not folder.is_dir():
            raise


@lru_cache(maxsize=16)
def _open(folder: Path) -> SourceIndex:
    return SourceIndex.open(folder)
