"""A link from a figure to its definition: `{% load docs %}{% docs "Error detection" %}`, or with the figure's name as
the link: `{% docs "Error detection" "Recall" %}`."""

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from core.anchors import anchor_of

register = template.Library()


@register.simple_tag
def docs(section: str, name: str = "", help: str = "") -> SafeString:
    """The link to a section of docs/statistics.md, named by its heading.

    name: the link's words, a figure's name; without it the link is a question mark after them. help: what the figure
    is, in a few words.
    """
    words = f"How it is computed: {section}"
    address = f"{reverse('how-computed')}#{anchor_of(section)}"
    if name:
        title = f"{help}. {words}" if help else words
        return format_html('<a class="defined" href="{}" title="{}" hx-boost="false">{}</a>', address, title, name)
    return format_html(
        '<a class="docs" href="{}" title="{}" hx-boost="false"><span class="visually-hidden">{}</span>'
        '<span aria-hidden="true">?</span></a>',
        address,
        words,
        words,
    )


@register.simple_tag
def anchor(section: str) -> str:
    """The anchor of a section on the page of definitions."""
    return anchor_of(section)
