"""Text that would become a script of the page if one place forgot to escape it, in every field of every row."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from django.apps import apps
from django.db import DatabaseError, models, transaction
from django.db.models import Model

ROOMS = ("annotate", "evaluators", "factor", "jobs", "knowledge", "llm", "audit")
# Words of the program, which no form takes as they come: names of methods, hashes, addresses of files.
PROGRAM_WORDS = re.compile(
    r"hash|password|method|kind|scheme|form|state|profile|interface|language|version|filters|file|key$"
)
# What an answer that is a page never holds as it stands.
CAME_OUT = re.compile(rb"""zq(\d+)"'>|<zq-(\d+)""")


class Poisoned(NamedTuple):
    number: int
    field: str


def poisonous(number: int) -> str:
    """An address that is a script, for what becomes a link; and markup that leaves a text, an attribute, a script, a
    title and a comment, wherever one of them is open; and both within Markdown and TeX."""
    markup = f"zq{number}\"'><zq-{number} onzq=1></script></title></textarea>--><zq-{number}>"
    attribute = f"zq{number}\"'>"
    links = f"[a](javascript:{attribute}) [a](https://{attribute}) ![{attribute}](https://{attribute})"
    return f"javascript:{markup}\n\n| {markup} |\n|---|\n| {links} `{markup}` $\\text{{{attribute}<zq-{number}>}}$ |"


def poison() -> list[Poisoned]:
    """Write such a text, of its own number, into every field of text and every text within JSON that takes it."""
    return list(_poison_all())


def _poison_all() -> Iterator[Poisoned]:
    number = 0
    for model in apps.get_models():
        if model._meta.app_label not in ROOMS:
            continue
        for field in model._meta.concrete_fields:
            number += 1
            if _takes_text(field) and _write(model, field, poisonous(number)):
                yield Poisoned(number, f"{model._meta.label}.{field.name}")


def _takes_text(field: "models.Field[Any, Any]") -> bool:
    if field.primary_key or field.choices or PROGRAM_WORDS.search(field.name):
        return False
    return isinstance(field, models.CharField | models.TextField | models.JSONField)


def _write(model: type[Model], field: "models.Field[Any, Any]", text: str) -> bool:
    """Whether a row took it. What a constraint refuses no attacker can store either."""
    took = False
    for row in model._default_manager.all():
        value = getattr(row, field.attname)
        new = poisoned_json(value, text) if isinstance(field, models.JSONField) else _fit(text, field, row.pk)
        if new == value:
            continue
        try:
            with transaction.atomic():
                model._default_manager.filter(pk=row.pk).update(**{field.name: new})
        except DatabaseError:
            continue
        took = True
    return took


def _fit(text: str, field: "models.Field[Any, Any]", pk: int) -> str:
    """As much of it as the field has room for. The end differs from row to row: some must be unique."""
    room = field.max_length
    return f"{text}{pk}" if room is None else text[: room - len(str(pk))] + str(pk)


def poisoned_json(value: Any, text: str) -> Any:
    """The same document with this text for every text in it."""
    if isinstance(value, dict):
        return {name: poisoned_json(each, text) for name, each in value.items()}
    if isinstance(value, list):
        return [poisoned_json(each, text) for each in value]
    return text if isinstance(value, str) else value
