"""The documents of a source that are evaluated themselves, and so are never retrieved (FACTOR §4.3).

Each is found by the first of the reasons that fits it. A copy of an evaluated text under another name is found by what
is asked of the model: whichever document holds a true completion word for word would give the answer away.
"""

from collections.abc import Iterable, Iterator
from concurrent.futures import Executor
from enum import StrEnum

from django.db.models import QuerySet

from factor.models import Benchmark, Completion
from factor.retrieval.find import CHUNK, SourcePassages
from knowledge.models import Document, KnowledgeSource, Passage
from knowledge.titles import title_key

# So many of the passages that are nearest to a true completion are looked through for a copy of it, and again so many
# of the others as long as there was one among them.
NEAREST = 20


class Reason(StrEnum):
    """Why a document is left out."""

    DOCUMENT = "document"
    KEY = "key"
    TITLE = "title"
    QUOTE = "quote"

    @property
    def label(self) -> str:
        return LABELS[self]


LABELS = {
    Reason.DOCUMENT: "an example was made from it",
    Reason.KEY: "it has the key of an evaluated document",
    Reason.TITLE: "it has the title of an evaluated document",
    Reason.QUOTE: "it holds a true completion word for word",
}


def excluded_documents(
    benchmark: Benchmark, source: KnowledgeSource, database_thread: Executor
) -> dict[Reason, list[int]]:
    """The primary keys of the source's documents that are excluded from retrieval, ascending, by reason; a reason for
    none is left out."""
    there = Document.objects.visible().filter(source=source)
    examples = benchmark.examples.all()
    own = set(examples.exclude(document=None).values_list("document", flat=True))
    evaluated = Document.objects.filter(examples__benchmark=benchmark)
    named = set(examples.exclude(document_key="").values_list("document_key", flat=True))
    keys = named | set(evaluated.values_list("key", flat=True))
    titles = {title_key(name) for name in named} | set(evaluated.values_list("title_key", flat=True))
    documents = {
        Reason.DOCUMENT: _among(there, "pk", own),
        Reason.KEY: _among(there, "key", keys),
        Reason.TITLE: _among(there, "title_key", titles - {""}),
    }
    documents[Reason.QUOTE] = _quoting(
        benchmark, SourcePassages(source, set().union(*documents.values()), database_thread)
    )
    return _each_once(documents)


def _among(documents: QuerySet[Document], column: str, values: Iterable[int | str]) -> set[int]:
    wanted = sorted(values, key=str)
    return {
        pk
        for start in range(0, len(wanted), CHUNK)
        for pk in documents.filter(**{f"{column}__in": wanted[start : start + CHUNK]}).values_list("pk", flat=True)
    }


def _quoting(benchmark: Benchmark, passages: SourcePassages) -> set[int]:
    """Documents that hold the true completion of an example, but for white space and case.

    They are barred from the passages: the next passages come up in their place.
    """
    documents: set[int] = set()
    true = Completion.objects.filter(example__benchmark=benchmark, place=0).values_list("text", flat=True)
    for completion in true.iterator(chunk_size=CHUNK):
        while copies := {pk for pk, text in _texts_near(completion, passages) if _plain(completion) in _plain(text)}:
            documents |= copies
            passages.bar(copies)
    return documents


def _texts_near(completion: str, passages: SourcePassages) -> Iterator[tuple[int, str]]:
    near = Passage.objects.filter(pk__in=passages.keys(completion, NEAREST))
    yield from Document.objects.filter(passages__in=near).distinct().values_list("pk", "text")


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _each_once(documents: dict[Reason, set[int]]) -> dict[Reason, list[int]]:
    """Each document under its first reason only."""
    seen: set[int] = set()
    once = {}
    for reason in Reason:
        if new := documents[reason] - seen:
            once[reason] = sorted(new)
        seen |= new
    return once
