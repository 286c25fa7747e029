"""Searching a knowledge source by BM25: `python -m bench.knowledge [PASSAGES] [--rivals]`.

50,000 passages come in by the import, as a corpus does, and rank_bm25 is asked the same in the same run. Of more than
200,000 the index alone is built, chunk by chunk, and rank_bm25 is left out, which would take minutes and tens of
gigabytes. `--rivals` adds what bm25s takes to build its index by itself (for 1,000,000: minutes, and 8 GB), and
SQLite's FTS5. Texts are drawn by the seed from words as unequally frequent as those of English (Zipf), of which the
commonest are stop words here as there.
"""

import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

DOCUMENTS_OF = 10
SENTENCES = 10
WORDS = 250
QUERIES = 30
QUERY_WORDS = 25
BLOCK = 1000
# Above so many passages the index is built without the database, and rank_bm25 is not asked.
WHOLE_WAY = 200_000


def main() -> None:
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    passages = numbers[0] if numbers else 50_000
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(DATA_DIR=folder, DJANGO_SETTINGS_MODULE="config.settings")
        import django

        django.setup()
        if passages <= WHOLE_WAY:
            whole_way(Path(folder), passages)
        else:
            index_alone(Path(folder), passages)
        if "--rivals" in sys.argv:
            for rival in ("bm25s_alone", "fts5"):
                # Each in a process of its own, whose memory is its own.
                code = f"from bench.knowledge import *; {rival}(Path({folder!r}), {passages})"
                subprocess.run([sys.executable, "-c", code], check=True)


def drawn(passages: int) -> Iterator[str]:
    """Passages of ten sentences; the same for the same number."""
    from knowledge.words import STOP_WORDS

    chance = np.random.default_rng(7)
    words = np.array([*sorted(STOP_WORDS), *(f"word{number}" for number in range(100_000))])
    share = np.cumsum(1 / np.arange(1, len(words) + 1))
    for first in range(0, passages, BLOCK):
        block = min(BLOCK, passages - first)
        chosen = words[np.searchsorted(share, share[-1] * chance.random((block, SENTENCES, WORDS // SENTENCES)))]
        for passage in chosen:
            yield " ".join(" ".join(sentence).capitalize() + "." for sentence in passage)


def queries_of(passages: int) -> list[str]:
    """The first words of thirty of the passages."""
    step = max(1, passages // QUERIES)
    return [" ".join(text.split()[:QUERY_WORDS]) for n, text in enumerate(drawn(passages)) if n % step == 0][:QUERIES]


def whole_way(folder: Path, passages: int) -> None:
    """From a file through the database to a page of results."""
    from django.core.management import call_command

    from annotate.evidence.import_file import import_documents
    from knowledge.bm25 import PassageIndex
    from knowledge.index_files import index_of
    from knowledge.search import search, search_page
    from knowledge.words import content_words

    call_command("migrate", verbosity=0)
    file = folder / "documents.jsonl"
    texts = list(drawn(passages))
    with file.open("w") as out:
        for number in range(0, passages, DOCUMENTS_OF):
            text = " ".join(texts[number : number + DOCUMENTS_OF])
            out.write(json.dumps({"title": f"Document {number // DOCUMENTS_OF}", "text": text}) + "\n")
    began = time.perf_counter()
    source = import_documents(file, "drawn").source
    print(f"import of {passages:,} passages, {file.stat().st_size / 1024**2:.0f} MB: {since(began):.1f} s")
    cut = imported_passages(source)
    began = time.perf_counter()
    plain = PassageIndex(cut)
    print(f"rank_bm25 builds its index in {since(began):.1f} s, in each process")
    queries = queries_of(passages)
    began = time.perf_counter()
    index = index_of(source)
    print(f"opening the index: {1000 * since(began):.1f} ms")
    ours = milliseconds(lambda query: ten_best(index, query), queries)
    theirs = milliseconds(lambda query: plain.ranking(content_words(query))[:10], queries)
    print(f"a query: rank_bm25 {theirs:.0f} ms, ours {ours:.2f} ms, ratio {theirs / ours:.0f}")
    page = milliseconds(lambda query: search_page(source, "Document 7", query, 5), queries)
    whole = milliseconds(lambda query: search(source, query, 10, "Document 7"), queries)
    print(f"the topic's page alone: {page:.1f} ms; page and source with texts and marks: {whole:.1f} ms")
    same = sum(ten_best(index, query) == plain.ranking(content_words(query))[:10] for query in queries)
    print(f"the same ten passages in the same order: {same} of {len(queries)} queries")


def index_alone(folder: Path, passages: int) -> None:
    """The index as an import builds it, within bounded memory, and searched from its files."""
    from knowledge.index_build import IndexBuilder
    from knowledge.source_index import SourceIndex

    index_folder = folder / "index"
    index_folder.mkdir()
    began = time.perf_counter()
    builder = IndexBuilder(index_folder)
    for key, text in enumerate(drawn(passages)):
        builder.add(key, text)
    builder.finish()
    size = sum(file.stat().st_size for file in index_folder.iterdir()) / 1024**3
    print(f"{passages:,} passages: index built in {since(began):.0f} s, with at most {peak():.1f} GB; {size:.1f} GB")
    queries = queries_of(passages)
    began = time.perf_counter()
    index = SourceIndex.open(index_folder)
    print(f"opening the index: {1000 * since(began):.1f} ms")
    each = sorted(milliseconds(lambda query: ten_best(index, query), [query]) for query in queries)
    print(f"a query: {np.mean(each):.1f} ms, the slowest {each[-1]:.1f} ms")


def bm25s_alone(folder: Path, passages: int) -> None:
    """bm25s as it builds an index by itself."""
    from knowledge.source_index import bm25
    from knowledge.words import content_words

    numbers: dict[str, int] = {}
    corpus = [[numbers.setdefault(word, len(numbers)) for word in content_words(text)] for text in drawn(passages)]
    began = time.perf_counter()
    index = bm25()
    index.index((corpus, numbers), show_progress=False, create_empty_token=False)
    print(f"bm25s builds it by itself in {since(began):.0f} s (words not counted), with at most {peak():.1f} GB")


def fts5(folder: Path, passages: int) -> None:
    """SQLite's own index, whose BM25 has no positive idf."""
    from knowledge.words import content_words

    index = sqlite3.connect(folder / "fts5.db")
    index.execute("CREATE VIRTUAL TABLE passages USING fts5(words, content='')")
    began = time.perf_counter()
    rows = ((key, " ".join(content_words(text))) for key, text in enumerate(drawn(passages), start=1))
    index.executemany("INSERT INTO passages (rowid, words) VALUES (?, ?)", rows)
    index.commit()
    built = since(began)
    ask = "SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT 10"
    each = milliseconds(
        lambda query: index.execute(ask, (" OR ".join(content_words(query)),)).fetchall(), queries_of(passages)
    )
    print(f"SQLite FTS5: built in {built:.0f} s; a query {each:.0f} ms")


def imported_passages(source) -> list[str]:
    """As they were cut, which is not everywhere where the documents were put together."""
    from knowledge.models import Passage

    cut = Passage.objects.filter(document__source=source).order_by("pk").select_related("document")
    return [passage.document.text[passage.start : passage.end] for passage in cut.iterator()]


def ten_best(index, query: str) -> list[int]:
    from knowledge.source_index import best
    from knowledge.words import content_words

    return best(index.scores(content_words(query)), 10).tolist()


def milliseconds(answer, queries) -> float:
    """Mean time of an answer."""
    began = time.perf_counter()
    for query in queries:
        answer(query)
    return 1000 * since(began) / len(queries)


def since(began: float) -> float:
    return time.perf_counter() - began


def peak() -> float:
    """The most memory that this process has had, in GB (Linux counts it in KB)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2


if __name__ == "__main__":
    main()
