"""The pages of some topics out of a dump of an encyclopaedia: `python -m bench.topic_pages [PAGES]`.

The dump is made in a temporary folder, by default 2,000,000 pages like those of FActScore's dump, every tenth of them a
redirect. 183 topics are taken: as titles have them, with other accents and spelling, by redirects, and ambiguous ones.
Passages are the dump's own: Punkt, which cuts other texts, takes 160 MB by itself. The import runs in a process of
its own, whose memory is its own.
"""

import json
import os
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

PAGES = 2_000_000
TOPICS = 183
SEPARATOR = "####SPECIAL####SEPARATOR####"
VOCABULARY = 50_000
# Different texts: drawing two million takes longer than all else.
TEXTS = 5_000


def main() -> None:
    pages = int(sys.argv[1]) if len(sys.argv) > 1 else PAGES
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pages.db"
        began = time.perf_counter()
        make_dump(file, pages)
        size = file.stat().st_size / 1024**3
        print(f"{pages:,} pages, {size:.1f} GB: made in {time.perf_counter() - began:.0f} s", flush=True)
        environment = {**os.environ, "DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        code = f"from bench.topic_pages import *; take({str(file)!r}, {pages})"
        subprocess.run([sys.executable, "-c", code], check=True, env=environment)


def make_dump(file: Path, pages: int) -> None:
    chance = random.Random(3)
    words = [f"w{int(chance.paretovariate(0.6))}" for _ in range(VOCABULARY)]
    dump = sqlite3.connect(file)
    dump.execute("PRAGMA journal_mode = OFF")
    dump.execute("CREATE TABLE documents (title PRIMARY KEY, text)")
    dump.executemany("INSERT INTO documents VALUES (?, ?)", drawn(pages, words, chance))
    dump.commit()
    dump.close()


def title_of(number: int) -> str:
    """Names of three words, some with accents, some with a disambiguation."""
    name = f"Name{number % 9973} José{number % 101} Title{number}"
    return f"{name} (politician)" if number % 7 == 0 else name


def drawn(pages: int, words: list[str], chance: random.Random) -> Iterator[tuple[str, str]]:
    texts = [text_of(1 + number % 3, words, chance) for number in range(TEXTS)]
    for number in range(pages):
        redirect = number % 10 == 3
        yield title_of(number), f"#REDIRECT [[{title_of(number - 1)}]]" if redirect else texts[number % TEXTS]


def text_of(passages: int, words: list[str], chance: random.Random) -> str:
    drawn_words = [chance.choices(words, k=200) for _ in range(passages)]
    return SEPARATOR.join(
        "".join(f"<s>{' '.join(passage[first : first + 22])}.</s>" for first in range(0, 200, 22))
        for passage in drawn_words
    )


def topics_of(pages: int) -> list[str]:
    """Some as the titles are, some without accents and parentheses, some that only redirect, some not there."""
    step = pages // TOPICS
    titles = [title_of(number * step) for number in range(TOPICS)]
    spelled = [title.replace("é", "e").removesuffix(" (politician)") for title in titles[:60]]
    redirects = [title_of(number * step // 10 * 10 + 3) for number in range(60, 90)]
    return [*spelled, *redirects, *titles[90:-1], "Nobody of that name"]


def take(file: str, pages: int) -> None:
    """Import the pages of the topics, and search one of them."""
    import django

    django.setup()
    from django.core.management import call_command

    from annotate.evidence.import_file import import_documents
    from annotate.evidence.topics import report_on
    from knowledge.search import search

    call_command("migrate", verbosity=0)
    topics = topics_of(pages)
    before, began, used = peak(), time.perf_counter(), time.process_time()
    imported = import_documents(Path(file), "encyclopaedia", tokenizer="published", topics=topics)
    seconds, processor = time.perf_counter() - began, time.process_time() - used
    report = report_on(imported.source, topics)
    began = time.perf_counter()
    hits = search(imported.source, "w1 w2", 5, topics[0])
    found = {
        "topics": report.topics,
        "resolved": report.resolved,
        "documents": imported.created,
        "seconds": round(seconds, 1),
        "processor_seconds": round(processor, 1),
        "peak_mb": round(peak()),
        "peak_mb_before": round(before),
        "first_search_ms": round(1000 * (time.perf_counter() - began)),
        "hits": len(hits),
    }
    print(json.dumps(found, indent=2))


def peak() -> float:
    """The most memory that this process has had, in MB (Linux counts it in KB)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
