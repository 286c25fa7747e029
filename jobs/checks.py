"""Checks at start: every model of jobs and items belongs to a registered kind."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig, apps
from django.core.checks import CheckMessage, Error, register
from django.db.models import Model

from jobs.kinds import KINDS
from jobs.models import Job, JobItem


@register()
def check_kinds(app_configs: Sequence[AppConfig] | None, **_: Any) -> list[CheckMessage]:
    return [
        Error(
            f"No registered kind of work uses {model._meta.label}.",
            hint="Declare a subclass of jobs.kinds.JobKind with a name in a module whose name ends in _job.",
            obj=model,
            id="jobs.E001",
        )
        for model in unregistered(apps.get_models())
    ]


def unregistered(models: Sequence[type[Model]]) -> list[type[Model]]:
    """The models of jobs and items that no kind uses."""
    used = {model for kind in KINDS.values() for model in (kind.items, kind.job)}
    return [model for model in models if issubclass(model, Job | JobItem) and model not in used]
