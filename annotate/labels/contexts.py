"""What the templates of an assignment's pages are told."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse

from annotate.labels.draft import progress
from annotate.labels.entries import Entry
from annotate.labels.keys import Command, commands_of
from annotate.labels.own_work import course_of
from annotate.labels.submit import guideline_of
from annotate.labels.units import Reading
from annotate.labels.wire import for_page
from annotate.labels.workbench import choices_of, error_types_of, panels
from annotate.models import Assignment, Irrelevance, Role, Stance


def page_context(own: Assignment, readings: list[Reading], draft: Mapping[str, Entry], tab: str) -> dict[str, Any]:
    """Of any page: the texts with what the draft says of them. `tab` is the chapter that is open."""
    dataset = own.task.dataset
    return {
        "dataset": dataset,
        "role": Role.ANNOTATOR,
        "tab": tab,
        "assignment": own,
        "panels": panels(dataset, readings, draft),
        "prompt": readings[0].response.prompt if readings else None,
        "choices": choices_of(dataset),
        "error_types": error_types_of(dataset),
        "irrelevances": Irrelevance.choices,
        "stances": Stance.choices,
        "course": course_of(own),
    }


def bench_context(own: Assignment, readings: list[Reading]) -> dict[str, Any]:
    """Of the workbench, which its script fills in: it comes with the texts, and the draft beside them."""
    dataset, annotator = own.task.dataset, own.annotator
    commands = commands_of(annotator, dataset.scheme)
    page = {
        **for_page(own),
        "scheme": dataset.scheme,
        "mirror": f"touchstone.{annotator.pk}.{own.pk}",
        "save": reverse("assignment-save", args=[own.pk]),
        "compare": reverse("assignment-compare", args=[own.pk]),
        "links": reverse("card", args=[own.pk]),
        "login": f"{reverse('login')}?next={reverse('assignment', args=[own.pk])}",
    }
    return {
        **page_context(own, readings, {}, tab="label"),
        "page": page,
        "total": progress(readings, {}).total,
        "keys": {command.name: command.key for command in commands},
        "keys_list": keys_list(dataset.scheme, commands),
        "guideline": guideline_of(own),
        "judging": True,
    }


@lru_cache(maxsize=32)  # most people keep the keys as they come
def keys_list(scheme: str, commands: tuple[Command, ...]) -> str:
    """The list of keys as HTML."""
    return render_to_string("labels/keys.html", {"scheme": scheme, "commands": commands})
