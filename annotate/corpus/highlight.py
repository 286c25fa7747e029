"""A response's text cut at its segments, so that a page can mark them where they stand."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotate.models import Segment


@dataclass(frozen=True)
class HighlightPiece:
    """A stretch of text; `segment` is None for what stands between segments."""

    text: str
    segment: Segment | None


def pieces(text: str, segments: Sequence[Segment]) -> list[HighlightPiece]:
    """The whole text in order; segments without offsets, or inside one before them, are not marked."""
    highlights, at = [], 0
    for segment in sorted(segments, key=lambda each: (each.start is None, each.start, each.position)):
        if segment.start is None or segment.end is None or segment.start < at:
            continue
        if segment.start > at:
            highlights.append(HighlightPiece(text[at : segment.start], None))
        highlights.append(HighlightPiece(text[segment.start : segment.end], segment))
        at = segment.end
    if at < len(text):
        highlights.append(HighlightPiece(text[at:], None))
    return highlights
