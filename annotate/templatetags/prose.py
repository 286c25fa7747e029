"""Texts that people write with a little form: guidelines."""

from functools import lru_cache

from django import template
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

register = template.Library()

# CommonMark without HTML of the writer's own, and without pictures: they would come from elsewhere.
MARKDOWN = MarkdownIt("commonmark", {"html": False}).disable("image")


@register.filter
@lru_cache(maxsize=32)  # the same few guidelines stand on every page of their dataset
def markdown(text: str) -> SafeString:
    """The text as HTML. HTML in it is escaped, and an address that is no web or mail address is
    no link."""
    html: str = MARKDOWN.render(text)
    return mark_safe(html)  # noqa: S308 - the renderer escapes whatever is not Markdown
