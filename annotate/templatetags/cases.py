"""The addresses of adjudication cases."""

from typing import Literal

from django import template
from django.urls import reverse

register = template.Library()


@register.simple_tag
def case_page(dataset: int, segment: int, fact: int | Literal[""] | None) -> str:
    """The path of the page that decides on a fact, or on the segment where there is none.

    A template passes the key of a fact that is None as an empty text.
    """
    if not fact:
        return reverse("adjudicate-segment", args=[dataset, segment])
    return reverse("adjudicate-fact", args=[dataset, segment, fact])
