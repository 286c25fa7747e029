"""Passages that bear on a unit: from the dataset's knowledge source, else from what came with the responses."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotate.evidence.tokenizers import sentences_by_words
from annotate.models import Dataset, Response, Scheme, SourcePassage
from knowledge.bm25 import PassageIndex
from knowledge.marking import MarkedText, mark
from knowledge.models import Document
from knowledge.search import search
from knowledge.words import content_words

# Passages shown: of the topic's page, and as many of all others.
COUNT = 8


@dataclass(frozen=True)
class Finding:
    """A passage to read, with the fields of a card.

    document: the document's primary key; None for a text that came with a response. position: the passage's place in
    it, from 0. of_topic: it stands on the page that is titled like the prompt's topic.
    """

    title: str
    url: str
    document: int | None
    position: int
    pieces: Sequence[MarkedText]
    of_topic: bool = False


def find(dataset: Dataset, responses: Iterable[Response], query: str, count: int = COUNT) -> list[Finding]:
    """The best `count` passages for the query, best first, those of the topic's page before all others.

    The responses answer one prompt. Without a knowledge source their own reference texts are searched, or the passages
    of their claims.
    """
    responses = list(responses)
    if dataset.knowledge_source is None:
        return _in_texts(_texts_with(dataset, responses), query, count)
    topic = responses[0].prompt.topic if responses else ""
    return [
        Finding(hit.document.title, hit.document.url, hit.document.pk, hit.passage.position, hit.pieces, hit.of_topic)
        for hit in search(dataset.knowledge_source, query, count, topic)
    ]


def _texts_with(dataset: Dataset, responses: Sequence[Response]) -> dict[str, tuple[str, str]]:
    """The texts that came with the responses, each with its title and address ("" for none)."""
    if dataset.scheme == Scheme.CLAIMS:
        passages = SourcePassage.objects.filter(claims__claim__response__in=responses)
        return {passage.text: (passage.title, passage.url) for passage in passages.order_by("pk").distinct()}
    links = [link for response in responses for link in response.references.all()]
    return {link.content or "": ("", link.url or "") for link in links}


def _in_texts(texts: Mapping[str, tuple[str, str]], query: str, count: int) -> list[Finding]:
    """The best passages of the texts; only such as share a word with the query."""
    passages = [
        (*about, position, text[start:end])
        for text, about in texts.items()
        for position, (start, end) in enumerate(sentences_by_words(text))
    ]
    words = content_words(query)
    ranking = PassageIndex([text for *_, text in passages]).ranking(words)
    findings = []
    for title, url, position, text in (passages[place] for place in ranking[:count]):
        pieces = mark(text, words)
        if any(piece.match for piece in pieces):
            findings.append(Finding(title, url, None, position, pieces))
    return findings


def whole(document: Document, query: str = "") -> list[Finding]:
    """All of the document, passage by passage, with the query's words marked."""
    words = content_words(query)
    return [
        Finding(
            document.title,
            document.url,
            document.pk,
            passage.position,
            mark(document.text[passage.start : passage.end], words),
        )
        for passage in document.passages.all()
    ]
