"""A call's answer, apart from its thought."""

from django import template

from llm.models import Call
from llm.stored_parts import is_cut_off, said_in, thought_in

register = template.Library()

register.filter("thought", thought_in)
register.filter("is_cut_off", is_cut_off)


@register.filter
def said(call: Call | None) -> str:
    """Of no call "": a prediction of a method without a model has none."""
    return said_in(call) if call else ""
