"""Cutting a text into the passages that it is searched by."""

from annotate.segments.sentences import sentence_spans
from knowledge.passages import Span, cut_at_sentences


def passages_of(text: str) -> list[Span]:
    """Half-open offsets of passages of whole sentences (knowledge/passages.py), in reading order; none if blank."""
    return cut_at_sentences(text, sentence_spans(text))
