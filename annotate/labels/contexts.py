"""What the templates of an assignment's pages are told."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse

from annotate.labels.draft import progress
from annotate.labels.entries import Entry
from annotate.labels.keys import commands_of
from annotate.labels.own_work import Course, ask_course
from annotate.labels.submit import ask_guideline
from annotate.labels.units import Reading, ask_readings
from annotate.labels.wire import for_page
from annotate.labels.workbench import choices_of, error_types_of, panels
from annotate.models import Assignment, Guideline, Irrelevance, Role, Stance
from annotate.statements import together


@dataclass(frozen=True)
class Matter:
    """What an assignment's pages show beside what its annotator says. `guideline`: the one in force."""

    readings: list[Reading]
    course: Course
    guideline: Guideline | None


def matter_of(own: Assignment) -> Matter:
    """All of it at once: its task and dataset are there already."""
    task, dataset = own.task, own.task.dataset
    with together():
        readings, course, guidelines = ask_readings(task), ask_course(own), ask_guideline(dataset)
    return Matter(readings(), course(), guidelines.first())


def page_context(own: Assignment, matter: Matter, draft: Mapping[str, Entry], tab: str) -> dict[str, Any]:
    """Of any page: the texts with what the draft says of them. `tab` is the chapter that is open."""
    dataset = own.task.dataset
    return {
        "dataset": dataset,
        "role": Role.ANNOTATOR,
        "tab": tab,
        "assignment": own,
        "panels": panels(dataset, matter.readings, draft),
        "prompt": matter.readings[0].response.prompt if matter.readings else None,
        "error_types": error_types_of(dataset),
        "irrelevances": Irrelevance.choices,
        "course": matter.course,
        "guideline": matter.guideline,
    }


def bench_context(own: Assignment, matter: Matter) -> dict[str, Any]:
    """Of the workbench, which its script fills in: it comes with the texts, and the draft beside them."""
    dataset, annotator = own.task.dataset, own.annotator
    page = {
        **for_page(own),
        "scheme": dataset.scheme,
        "mirror": mirror_of(own),
        "save": reverse("assignment-save", args=[own.pk]),
        "compare": reverse("assignment-compare", args=[own.pk]),
        "links": reverse("card", args=[own.pk]),
        "login": f"{reverse('login')}?next={reverse('assignment', args=[own.pk])}",
    }
    return {
        **page_context(own, matter, {}, tab="label"),
        "page": page,
        "total": progress(matter.readings, {}).total,
        "tools": tools_of(dataset.scheme, tuple(error_types_of(dataset)), tuple(annotator.keys.items())),
        "judging": True,
    }


def mirror_of(own: Assignment) -> str:
    """Under what name a browser keeps what is not stored yet."""
    return f"touchstone.{own.annotator_id}.{own.pk}"


@dataclass(frozen=True)
class Tools:
    """What the workbench has in every task, as HTML: the buttons of a unit, the dock below, the editor and the keys."""

    buttons: str
    dock: str
    dialogs: str


@lru_cache(maxsize=32)  # most people keep the keys as they come
def tools_of(scheme: str, error_types: tuple[str, ...], own_keys: tuple[tuple[str, str], ...]) -> Tools:
    """`own_keys`: the name and the key of each command that the person remapped."""
    commands = commands_of(dict(own_keys), scheme)
    context = {
        "scheme": scheme,
        "error_types": error_types,
        "irrelevances": Irrelevance.choices,
        "stances": Stance.choices,
        "choices": choices_of(scheme),
        "commands": commands,
        "keys": {command.name: command.key for command in commands},
    }
    return Tools(**{each.name: render_to_string(f"labels/tools.html#{each.name}", context) for each in fields(Tools)})
