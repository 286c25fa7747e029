"""Searching a knowledge source of 50,000 passages: `python -m bench.knowledge [PASSAGES]`.

The comparison in the same run: rank_bm25 over the same passages with the same words. Texts are drawn by the seed from a
vocabulary whose words are as unequally frequent as those of English (Zipf).
"""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

DOCUMENTS_OF = 10
SENTENCES = 10
QUERIES = 30


def main() -> None:
    passages = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(DATA_DIR=folder, DJANGO_SETTINGS_MODULE="config.settings")
        import django

        django.setup()
        from django.core.management import call_command

        from annotate.evidence.import_file import import_documents

        call_command("migrate", verbosity=0)
        file = Path(folder) / "documents.jsonl"
        write_documents(file, passages)
        began = time.perf_counter()
        source = import_documents(file, "drawn").source
        print(f"import of {file.stat().st_size / 1024**2:.0f} MB: {time.perf_counter() - began:.1f} s")
        compare(source)


def write_documents(file: Path, passages: int) -> None:
    """Documents of ten passages each, 250 words a passage."""
    drawn = np.random.default_rng(7)
    words = np.array([f"word{number}" for number in range(100_000)])
    chances = 1 / np.arange(1, len(words) + 1)
    chances /= chances.sum()
    size = 250 // SENTENCES
    with file.open("w") as out:
        for number in range(passages // DOCUMENTS_OF):
            sentences = drawn.choice(words, (DOCUMENTS_OF * SENTENCES, size), p=chances)
            text = " ".join(" ".join(sentence).capitalize() + "." for sentence in sentences)
            out.write(json.dumps({"title": f"Document {number}", "text": text}) + "\n")


def compare(source) -> None:
    from knowledge.bm25 import PassageIndex
    from knowledge.index_files import index_of
    from knowledge.inverted import best
    from knowledge.models import Document
    from knowledge.search import search
    from knowledge.words import content_words

    documents = Document.objects.filter(source=source).order_by("pk").prefetch_related("passages")
    texts = [
        document.text[passage.start : passage.end]
        for document in documents.iterator(chunk_size=500)
        for passage in document.passages.all()
    ]
    began = time.perf_counter()
    plain = PassageIndex(texts)
    print(
        f"{len(texts):,} passages; rank_bm25 builds its index in {time.perf_counter() - began:.1f} s, in each process"
    )
    queries = [" ".join(text.split()[:25]) for text in texts[:: len(texts) // QUERIES]][:QUERIES]
    began = time.perf_counter()
    index_of(source)
    opened = time.perf_counter() - began
    ours = seconds(lambda query: best(index_of(source).scores(content_words(query)), 10), queries)
    whole = seconds(lambda query: search(source, query, 10, "Document 7"), queries)
    theirs = seconds(lambda query: plain.ranking(content_words(query))[:10], queries)
    print(f"opening the index: {1000 * opened:.1f} ms")
    print(f"a query: rank_bm25 {1000 * theirs:.0f} ms, ours {1000 * ours:.2f} ms, ratio {theirs / ours:.0f}")
    print(f"with the topic's page, texts and marks: {1000 * whole:.1f} ms, ratio {theirs / whole:.0f}")
    same = sum(
        best(index_of(source).scores(content_words(query)), 10).tolist() == plain.ranking(content_words(query))[:10]
        for query in queries
    )
    print(f"the same ten passages in the same order: {same} of {len(queries)} queries")


def seconds(answer, queries) -> float:
    """Mean time of an answer."""
    began = time.perf_counter()
    for query in queries:
        answer(query)
    return (time.perf_counter() - began) / len(queries)


if __name__ == "__main__":
    main()
