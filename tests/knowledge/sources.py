"""Sources for tests: titles with their texts, each sentence a passage."""

import re

from knowledge.documents import NewDocument
from knowledge.models import KnowledgeSource
from knowledge.writing import writing_into


def new_document(title: str, text: str, key: str = "", url: str = "") -> NewDocument:
    passages = tuple(match.span() for match in re.finditer(r"\S[^.]*\.", text))
    return NewDocument(key or title, title, url, text, passages)


def make_source(name: str = "insects", **texts: str) -> KnowledgeSource:
    with writing_into(name) as writer:
        writer.write([new_document(title.replace("_", " "), text) for title, text in texts.items()])
    return writer.source
