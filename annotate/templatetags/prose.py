"""Texts with a little form: guidelines in Markdown, and texts with TeX."""

from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from core.mathml import pieces

register = template.Library()

# CommonMark and tables, without HTML of the writer's own, and without pictures: they would come from elsewhere.
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


@register.filter
@lru_cache(maxsize=32)  # the same few guidelines stand on every page of their dataset
def markdown(text: str) -> SafeString:
    """The text as HTML. HTML in it is escaped, and an address that is no web or mail address is
    no link."""
    html: str = MARKDOWN.render(text)
    return mark_safe(html)  # noqa: S308 - the renderer escapes whatever is not Markdown


@register.filter
def typeset(text: str) -> SafeString:
    """The text with its TeX as MathML and spelled line ends as such (core/mathml.py). The stored text stays the source:
    `written` gives it on demand, and scripts read it there."""
    return _typeset(text) if _may_differ(text) else escape(text)


def _may_differ(text: str) -> bool:
    """Whether it may be shown otherwise than it is stored."""
    return "$" in text or "\\" in text or "\n" in text


@lru_cache(maxsize=2048)
def _typeset(text: str) -> SafeString:
    drawn = "".join(part if kind == "math" else escape(part) for kind, part in pieces(text))
    return mark_safe(drawn)  # noqa: S308 - text is escaped, and MathML is built of known elements


@register.simple_tag
def written(text: str) -> str:
    """The text as it is stored, on demand; "" where it is shown as it is stored, as mostly.

    differs: in more than white space, so that people may want to see it; else only scripts read it.
    """
    return _written(text) if _may_differ(text) else ""


@lru_cache(maxsize=2048)
def _written(text: str) -> str:
    shown, stored = typeset(text), escape(text)
    if shown == stored:
        return ""
    return render_to_string("annotate/written.html", {"text": text, "differs": shown.split() != stored.split()})
