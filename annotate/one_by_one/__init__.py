"""Pages on which a person says a word on one item after the other."""

from collections.abc import Callable
from typing import Any, TypeVar

from django import forms
from django.db.models import Model, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect

from annotate.access import MemberRequest
from core.numbers import read_number

Item = TypeVar("Item", bound=Model)


class WordError(ValueError):
    """The word cannot be taken; the message says why. Nothing was written."""


class FullError(WordError):
    """Others have said all that is wanted of the item meanwhile."""


def posted_item(request: MemberRequest, items: QuerySet[Item], missing: str, name: str = "item") -> Item:
    """The item whose key was posted under the name. Raises Http404, which says `missing`, where it is none of them."""
    key = read_number(request.POST.get(name, ""))
    item = None if key is None else items.filter(pk=key).first()
    if item is None:
        raise Http404(missing)
    return item


def take_word(
    request: MemberRequest,
    write: Callable[[], object],
    again: Callable[[int, str], HttpResponse],
    following: Callable[[int, str], HttpResponse],
) -> HttpResponse:
    """`write` the word, and show the `following` item: at once to HTMX, else once the page is asked for anew.

    Both pages are made with a status and what went wrong: the item `again` where its word cannot be taken, and the
    following one where others were faster.
    """
    try:
        write()
    except FullError as error:
        return following(409, str(error))
    except WordError as error:
        return again(422, str(error))
    return following(200, "") if request.htmx else redirect(request.path)


def yes_or_no(answer: bool | None) -> str:
    """ "yes", "no" or "" where it is missing, as the forms have it."""
    return "" if answer is None else "yes" if answer else "no"


def said(form: forms.Form | None, before: Any, name: str) -> str:
    """ "yes", "no" or "": as the form has it that is shown again, else as it was said `before` (None: not yet)."""
    if form is not None:
        return str(form[name].value() or "")
    return "" if before is None else yes_or_no(getattr(before, name))
