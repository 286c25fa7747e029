"""A source's search index as files, memory mapped: DATA_DIR/knowledge/<source>/<edition>/, an array a file.

An edition's folder appears whole by one rename and never changes. Two processes that build the same edition do the same
work twice, and the one that comes second throws its own away. Files that are lost are built anew by the next search.
"""

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import fields
from functools import lru_cache
from pathlib import Path

import numpy as np
from django.conf import settings

from knowledge.inverted import IndexBuilder, InvertedIndex
from knowledge.models import Document, KnowledgeSource

# Documents read at a time.
CHUNK = 50
UNFINISHED = "unfinished-"
# The edition of a source that nothing was ever imported into.
NO_IMPORT = "empty"
# Seconds after which a folder that was not finished is one of a process that was killed.
ABANDONED = 24 * 3600


def index_of(source: KnowledgeSource) -> InvertedIndex:
    """The index over the passages of the source's complete imports; `keys` are their primary keys, ascending."""
    source = KnowledgeSource.objects.get(pk=source.pk)
    folder = folder_of(source, source.edition)
    if not folder.is_dir():
        build_index(source, source.edition, source.revision)
    return _open(folder)


def build_index(source: KnowledgeSource, edition: str, revision: int, beat: Callable[[], None] = lambda: None) -> None:
    """Write the files of an edition that covers the documents up to this revision; `beat` is called for each."""
    builder = IndexBuilder()
    documents = Document.objects.filter(source=source, revision__lte=revision).order_by("pk")
    for document in documents.prefetch_related("passages").iterator(chunk_size=CHUNK):
        beat()
        for passage in document.passages.all():
            builder.add(passage.pk, document.text[passage.start : passage.end])
    _save(builder.build(), folder_of(source, edition))


def sweep_editions(source: KnowledgeSource) -> None:
    """Delete the files of the source's former editions, and what a killed process left unfinished."""
    for folder in folder_of(source, source.edition).parent.iterdir():
        unfinished = folder.name.startswith(UNFINISHED)
        if folder.name != (source.edition or NO_IMPORT) and not (
            unfinished and time.time() - folder.stat().st_mtime < ABANDONED
        ):
            shutil.rmtree(folder, ignore_errors=True)


def folder_of(source: KnowledgeSource, edition: str) -> Path:
    return Path(settings.DATA_DIR) / "knowledge" / str(source.pk) / (edition or NO_IMPORT)


def _save(index: InvertedIndex, folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=folder.parent))
    for field in fields(index):
        with (unfinished / f"{field.name}.npy").open("wb") as file:
            np.save(file, getattr(index, field.name))
            os.fsync(file.fileno())
    try:
        unfinished.rename(folder)
    except OSError:
        shutil.rmtree(unfinished)
        if not folder.is_dir():
            raise


@lru_cache(maxsize=16)
def _open(folder: Path) -> InvertedIndex:
    return InvertedIndex(
        **{
            field.name: np.load(folder / f"{field.name}.npy", mmap_mode="r", allow_pickle=False)
            for field in fields(InvertedIndex)
        }
    )
