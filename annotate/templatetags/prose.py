"""Texts as they were written (core/rendering.py): prompts, responses, their units, guidelines."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Protocol

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from annotate.corpus.highlight import HighlightPiece
from annotate.corpus.no_claim import lacks_claim
from annotate.corpus.segmenting import is_uncut
from annotate.models import AtomicFact, Response, Segment
from core import rendering

Here = int | AbstractSet[int] | None

register = template.Library()
register.filter(lacks_claim)
register.filter(is_uncut)


@register.filter
def rendered(text: str) -> SafeString:
    """The whole text: lines, or blocks where it has any."""
    return _safe(rendering.rendered(text))


@register.filter
def prose(text: str) -> SafeString:
    """What somebody wrote, behind words of the page: lines in the direction of its own words, or blocks below."""
    html = rendering.rendered(text)
    return _safe(f"<bdi>{html}</bdi>" if html and not html.startswith(rendering.BLOCKS) else html)


@register.filter
def short(text: str, length: int) -> SafeString:
    """The beginning in one line, for a list."""
    return _safe(rendering.rendered_short(text, length))


@register.filter
@lru_cache(maxsize=32)  # the same few guidelines stand on every page of their dataset
def markdown(text: str) -> SafeString:
    """Guidelines."""
    return _safe(rendering.rendered_prose(text))


class Unit(Protocol):
    """What has a segment and, where a fact of it is meant, that."""

    @property
    def segment(self) -> Segment: ...

    @property
    def fact(self) -> AtomicFact | None: ...


@register.simple_tag
def unit_text(unit: Unit, response: Response | None) -> SafeString:
    """The text of a unit: a segment as it stands within the response, such as the row of a table."""
    return _safe(rendering.rendered_stretch(*_place(unit, response)))


@register.simple_tag
def unit_source(unit: Unit, response: Response | None) -> str:
    """The stored text of a unit where it is shown otherwise: scripts read it, and a key shows it."""
    text, start, end = _place(unit, response)
    if rendering.is_shown_as_stored(text, start, end):
        return ""
    return format_html("<p data-written hidden>{}</p>", text[start:end])


@register.simple_tag
def marked_text(response: Response, pieces: Sequence[HighlightPiece], here: Here = None) -> SafeString:
    """The text of a response with its segments marked; `here` are the primary keys of those that are spoken of."""
    spoken_of = here if isinstance(here, AbstractSet) else {here}
    stretches, at = [], 0
    for piece in pieces:
        mark = "" if piece.segment is None else "piece here" if piece.segment.pk in spoken_of else "piece"
        stretches.append(rendering.Stretch(at, at + len(piece.text), mark))
        at += len(piece.text)
    return _safe(rendering.rendered_with_marks(response.text, stretches))


@register.simple_tag
def continued_text(before: str, text: str) -> SafeString:
    """A text, quiet, and how a model continues it."""
    at = len(before)
    stretches = rendering.Stretch(0, at, "quiet"), rendering.Stretch(at, at + len(text), "generated")
    return _safe(rendering.rendered_with_marks(before + text, stretches))


@register.simple_tag
def written(text: str) -> str:
    """The stored text, folded; "" where it is shown character by character."""
    if rendering.is_shown_as_stored(text, 0, len(text)):
        return ""
    return render_to_string("annotate/written.html", {"text": text})


def _place(unit: Unit, response: Response | None) -> tuple[str, int, int]:
    """A text and where the unit stands in it: the response where the segment is found there, else its own text."""
    segment = unit.segment
    if response and not unit.fact and response.text[segment.start : segment.end] == segment.text:
        return response.text, segment.start or 0, len(response.text) if segment.end is None else segment.end
    own = (unit.fact or segment).text
    return own, 0, len(own)


def _safe(html: str) -> SafeString:
    return mark_safe(html)  # noqa: S308 - core/rendering.py escapes all that is not its own
