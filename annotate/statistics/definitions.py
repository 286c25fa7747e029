"""The page "How figures are computed": docs/statistics.md as HTML, a section at each anchor that figures link to."""

import re
from functools import cache
from pathlib import Path

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.anchors import anchor_of

SOURCE = Path(__file__).resolve().parent.parent.parent / "docs" / "statistics.md"
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


@login_not_required
@require_safe
def how_computed(request: HttpRequest) -> HttpResponse:
    """Open to strangers too: shared pages link here. Those get it in the frame of such pages, without a cookie."""
    frame = "site/base.html" if request.user.is_authenticated else "site/public.html"
    page = {"definitions": definitions(), "sections": sections(), "frame": frame}
    return render(request, "statistics/how_computed.html", page)


@cache
def sections() -> list[str]:
    """The headings of the second level, for the list of contents."""
    return re.findall(r"^## (.+)$", SOURCE.read_text(encoding="utf-8"), re.MULTILINE)


@cache
def definitions() -> SafeString:
    """The page as HTML. Links to other pages of the docs are their text, as only this one is served."""
    tokens = MARKDOWN.parse(SOURCE.read_text(encoding="utf-8"))
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", anchor_of(tokens[place + 1].content))
        if token.type in ("table_open", "fence", "code_block"):
            token.attrSet("tabindex", "0")  # it may scroll on a narrow screen, by keys too
        if token.children:
            token.children = _without_links_out(token.children)
    html: str = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})
    return mark_safe(html)  # noqa: S308 - the renderer escapes whatever is not Markdown


def _without_links_out(tokens: list[Token]) -> list[Token]:
    kept, dropped = [], False
    for token in tokens:
        if token.type == "link_open":
            dropped = not str(token.attrGet("href")).startswith("#")
        if not (dropped and token.type in ("link_open", "link_close")):
            kept.append(token)
    return kept
