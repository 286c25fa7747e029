"""Template contexts of an assignment's pages."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

from django.template.loader import render_to_string

from annotate.judgements.entries import Draft, Entry, draft_of
from annotate.judgements.page_keys import PageKeys
from annotate.judgements.units import ResponseReading, readings_of
from annotate.labels.choices import choices_of
from annotate.labels.draft import progress
from annotate.labels.guidelines import is_outdated
from annotate.labels.keys import commands_of
from annotate.labels.own_work import WorkPosition, work_position_of
from annotate.labels.payload import for_page
from annotate.labels.returned import last_return
from annotate.labels.submit import guideline_of
from annotate.labels.suggested import suggestions_on_page
from annotate.labels.workbench import error_types_of, panels
from annotate.models import Assignment, Guideline, Irrelevance, Role, Scheme, Stance
from core.page_paths import keyed_path, page_path


@dataclass(frozen=True)
class AssignmentPage:
    """The parts of an assignment's pages besides the annotator's entries. `guideline`: the one in force."""

    readings: list[ResponseReading]
    work_position: WorkPosition
    guideline: Guideline | None


def assignment_page_of(own: Assignment) -> AssignmentPage:
    return AssignmentPage(readings_of(own.task), work_position_of(own), guideline_of(own))


def page_context(
    own: Assignment, assignment_page: AssignmentPage, draft: Mapping[str, Entry], tab: str
) -> dict[str, Any]:
    """The context of any page: the texts with the draft's entries. `tab` is the open chapter."""
    dataset = own.task.dataset
    return {
        "dataset": dataset,
        "role": Role.ANNOTATOR,
        "tab": tab,
        "assignment": own,
        "panels": panels(dataset, assignment_page.readings, draft, PageKeys(own), suggestions_on_page(own)),
        "prompt": assignment_page.readings[0].response.prompt if assignment_page.readings else None,
        "error_types": error_types_of(dataset),
        "irrelevances": Irrelevance.choices,
        "work_position": assignment_page.work_position,
        "guideline": assignment_page.guideline,
        "shown": assignment_page.guideline.version if assignment_page.guideline else 0,
        "outdated": is_outdated(own, assignment_page.guideline),
        "returned": last_return(own),
        # Of a rebuttal; Django takes long to find that a name stands for nothing.
        "rebuttal": None,
        "others": (),
    }


def bench_context(
    own: Assignment, assignment_page: AssignmentPage, draft: Draft | None = None, rebuttal: bool = False, **more: object
) -> dict[str, Any]:
    """The context of the workbench, which its script fills in: the texts, and the draft beside them.

    `draft`: None for that of the assignment; `more` is for the script, too.
    """
    dataset, annotator = own.task.dataset, own.annotator
    page = {
        **for_page(own, PageKeys(own), draft_of(own) if draft is None else draft),
        "scheme": dataset.scheme,
        "guideline": assignment_page.guideline.version if assignment_page.guideline else 0,
        # What was submitted before stays valid; a change of it is checked when it is submitted.
        "type_required": dataset.type_required and not (rebuttal or own.is_returned),
        "reason_required": dataset.reason_required and not (rebuttal or own.is_returned),
        "no_claim": dataset.no_claim_is_irrelevant and dataset.scheme != Scheme.FACTSCORE,
        "mirror": mirror_of(own),
        "save": keyed_path("assignment-save", own.key),
        "compare": keyed_path("assignment-compare", own.key),
        "links": keyed_path("card", own.key),
        "login": f"{page_path('account_login')}?next={keyed_path('assignment', own.key)}",
        **more,
    }
    return {
        **page_context(own, assignment_page, {}, tab="label"),
        "page": page,
        "total": progress(assignment_page.readings, {}).total,
        "tools": tools_of(
            dataset.scheme,
            tuple(error_types_of(dataset)),
            tuple(annotator.keys.items()),
            rebuttal,
            annotator.moves_on,
        ),
        "judging": True,
    }


def mirror_of(own: Assignment) -> str:
    """The name under which a browser keeps unsaved entries."""
    return f"touchstone.{own.key}"


@dataclass(frozen=True)
class WorkbenchParts:
    """Parts of the workbench in every task, as HTML: buttons of a unit, the button for the rest, the dock, the editor
    and the keys."""

    buttons: str
    rest: str
    dock: str
    dialogs: str


@lru_cache(maxsize=32)  # most people keep the keys as they come
def tools_of(
    scheme: str,
    error_types: tuple[str, ...],
    own_keys: tuple[tuple[str, str], ...],
    rebuttal: bool = False,
    moves_on: bool = True,
) -> WorkbenchParts:
    """`own_keys`: the name and the key of each command that the person remapped."""
    commands = commands_of(dict(own_keys), scheme)
    context = {
        "scheme": scheme,
        "error_types": error_types,
        "irrelevances": Irrelevance.choices,
        "stances": Stance.choices,
        "choices": choices_of(scheme),
        "commands": commands,
        "moves_on": moves_on,
        "keys": {command.name: command.key for command in commands},
        "rebuttal": rebuttal,
    }
    return WorkbenchParts(
        **{each.name: render_to_string(f"labels/tools.html#{each.name}", context) for each in fields(WorkbenchParts)}
    )
