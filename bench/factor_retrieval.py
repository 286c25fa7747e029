"""Tokens that a model reads for scoring with retrieval: `python -m bench.factor_retrieval [FILE] [EXAMPLES]`.

Over examples of News-FACTOR, with the whole benchmark's prefixes as the corpus; a word counts as a token. The
comparison: a run for every stride of every completion, with all that stands before it, as IC-RALM is written down.
"""

import asyncio
import csv
import os
import re
import sys
import tempfile
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
PUBLISHED = CHECKOUT.parent / "shared" / "data" / "factor" / "news_factor.csv"
EXAMPLES, CONTEXT, STRIDE = 50, 1024, 8
COMPLETIONS = ("completion", "contradiction_0", "contradiction_1", "contradiction_2")
TOKEN = re.compile(r"\s*\S+|\s+")


class Reader:
    """Counts the tokens that it reads: what the texts of one call begin with alike, once."""

    def __init__(self) -> None:
        self.read = self.runs = 0

    async def tokens(self, text):
        return [match.span() for match in TOKEN.finditer(text)]

    async def score(self, prefix, continuations, context_length):
        from factor.language_models.base import ScoredContinuation, ScoredToken

        before = len(TOKEN.findall(prefix))
        self.runs += 1
        self.read += min(before, context_length)
        scored = []
        for text in continuations:
            spans = await self.tokens(text)
            self.read += len(spans)
            scored.append(ScoredContinuation(tuple(ScoredToken(start, end, -1.0) for start, end in spans), before))
        return scored


def main() -> None:
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else PUBLISHED
    most = int(sys.argv[2]) if len(sys.argv) > 2 else EXAMPLES
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(DATA_DIR=folder, DJANGO_SETTINGS_MODULE="config.settings")
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        with file.open(encoding="utf-8", newline="") as rows:
            examples = list(csv.DictReader(rows))
        source = make_source(examples)
        reader, strides = Reader(), 0
        naive = 0
        for number, example in enumerate(examples[:most]):
            scored = asyncio.run(score(reader, source, number, example))
            prefix = min(CONTEXT, 256 + len(TOKEN.findall(example["turncated_prefixes"])))
            for each in scored:
                lengths = [min(STRIDE, len(each.tokens) - first) for first in range(0, len(each.tokens), STRIDE)]
                strides += len(lengths)
                naive += sum(min(CONTEXT, prefix + STRIDE * n + length) for n, length in enumerate(lengths))
    print(f"{most} examples, {strides} strides: {reader.runs} runs with {reader.read:,} tokens read")
    print(f"a run a stride reads {naive:,}: {naive / reader.read:.1f} times as many")


def make_source(examples):
    """Every benchmark's prefix a document, in passages of about 100 words."""
    from knowledge.documents import NewDocument
    from knowledge.passages import cut_span
    from knowledge.writing import writing_into

    with writing_into("prefixes") as writer:
        for number, example in enumerate(examples):
            text = example["full_prefix"]
            passages = tuple(cut_span(text, (0, len(text)), 100))
            writer.write([NewDocument(str(number), f"Article {number}", "", text, passages)])
    return writer.source


async def score(reader, source, number, example):
    from concurrent.futures import ThreadPoolExecutor

    from factor.retrieval.find import SourcePassages
    from factor.retrieval.model import RetrievingModel
    from knowledge.models import Document

    with ThreadPoolExecutor(max_workers=1) as database_thread:
        own = await asyncio.get_running_loop().run_in_executor(
            database_thread, lambda: Document.objects.get(source=source, key=str(number)).pk
        )
        passages = await asyncio.get_running_loop().run_in_executor(
            database_thread, SourcePassages, source, [own], database_thread
        )
        model = RetrievingModel(reader, passages, STRIDE)
        return await model.score(example["turncated_prefixes"], [example[name] for name in COMPLETIONS], CONTEXT)


if __name__ == "__main__":
    main()
