"""What the pages of all undertakings do alike: show how far they are, and go on with them."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from annotate.leased.undertake import go_on
from annotate.models.undertaking import Undertaking
from jobs.errors import StartError
from jobs.forms import LimitsForm


def render_progress(request: HttpRequest, work: Undertaking, template: str, context: dict[str, Any]) -> HttpResponse:
    """The part of the page that is asked for again and again; it has the whole page read anew once there is no more to
    come."""
    response = render(request, f"{template}#progress", context)
    if not work.is_under_way:
        response["HX-Refresh"] = "true"
    return response


def resume(request: HttpRequest, work: Undertaking, knock: Callable[[int], object]) -> None:
    """Go on with what is left, and once more with what failed, under the limits given or its own; where that cannot be
    done, the next page says why."""
    form = LimitsForm(request.POST)
    try:
        if not form.is_valid():
            raise StartError("A limit is a number above 0.")
        go_on(work, form.limits())
    except StartError as error:
        messages.error(request, str(error))
    else:
        knock(work.pk)
