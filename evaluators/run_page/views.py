"""The page of a run, and what one does with it: describe, archive, delete, compare with another unit by unit."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotate.access import MemberRequest, role_in
from annotate.models import Dataset
from audit.models import Action
from audit.record import record
from core.errors import DataError
from evaluators.methods import EDITORS
from evaluators.models import Evaluator, Run
from evaluators.predictions.origin import OriginForm, origin_of, set_origin
from evaluators.predictions.read import latest_runs
from evaluators.run_page.figures import extraction_of_run, figures_of_run
from evaluators.run_page.forms import RunNotesForm
from evaluators.run_page.models_asked import models_asked
from evaluators.run_page.responses import domains_of, page_of_responses, read_filter, shown_of
from evaluators.runs.build import RunError
from evaluators.runs.covered import covered_by
from evaluators.runs.manage import archive_run, delete_run, goes_with, note_run, rename_run, restore_run, tag_run
from evaluators.runs.manifest import flatten
from evaluators.runs.repeats import copy_query
from evaluators.runs.suggestions import influential
from evaluators.runs.unread import unread_of
from evaluators.runs.views import VIEWS, fetch_run


@require_safe
def run(request: MemberRequest, pk: int) -> HttpResponse:
    run_row = fetch_run(request, pk)
    if run_row.edits:
        return redirect("edits", pk)
    figures = figures_of_run(run_row)
    page = _page(request, run_row) | {
        "entries": list(flatten(run_row.manifest)),
        "parameters": run_row.evaluator.parameters,
        "figures": figures,
        "headline": figures[0] if figures else None,
        "extraction": extraction_of_run(run_row),
        "covered": covered_by([run_row], run_row.dataset)[run_row.pk],
        "tags": run_row.tags.all(),
        "origin": origin_of(run_row),
        "models_asked": models_asked(run_row),
        "may_edit": _may_edit(run_row),
        "has_answers": "profile" in run_row.evaluator.parameters and "bundle" not in run_row.manifest,
        "copy": copy_query(run_row),
        "others": _others(run_row.dataset, run_row),
        "influential": [name for name in influential(run_row.dataset) if name == run_row.evaluator.name],
    }
    progress = VIEWS.progress_context(request, run_row)
    page["unread"] = unread_of(run_row, progress["progress"]) if run_row.evaluator.model else None
    return render(request, "runs/run.html", page | progress | _responses(request, run_row))


@require_safe
def run_predictions(request: MemberRequest, pk: int) -> HttpResponse:
    """The part of the page with the run's responses."""
    return render(request, "runs/run.html#responses", _responses(request, fetch_run(request, pk)))


@require_http_methods(["GET", "HEAD", "POST"])
def run_describe(request: MemberRequest, pk: int) -> HttpResponse:
    """Name, tags and note; of imported predictions also where they come from."""
    run_row = fetch_run(request, pk, True)
    is_imported = run_row.evaluator.method == Evaluator.IMPORTED
    form, origin = RunNotesForm(request.POST or None, initial=_notes(run_row)), None
    if is_imported:
        origin = OriginForm(request.POST or None, initial=vars(origin_of(run_row)))
    if form.is_valid() and (origin is None or origin.is_valid()):
        try:
            with transaction.atomic():
                rename_run(run_row, form.cleaned_data["name"])
                tag_run(run_row, form.cleaned_data["tags"])
                note_run(run_row, form.cleaned_data["note"])
                if origin is not None:
                    set_origin(run_row, origin.origin())
        except (DataError, RunError) as error:
            form.add_error(None, str(error))
            run_row.refresh_from_db()
        else:
            messages.success(request, "Saved.")
            return redirect("run", pk)
    page = _page(request, run_row) | {"form": form, "origin": origin, "same_name": _runs_of_the_same(run_row)}
    return render(request, "runs/describe.html", page, status=422 if form.is_bound else 200)


@require_POST
def run_archive(request: MemberRequest, pk: int) -> HttpResponse:
    """Archive the run, or bring it back (`restore` in the form)."""
    run_row = fetch_run(request, pk, True)
    if "restore" in request.POST:
        restore_run(run_row)
        messages.success(request, "The run is back in the list and in the comparison.")
        return redirect("run", pk)
    try:
        archive_run(run_row)
    except RunError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, "Archived: the run is out of the list and of the comparison. Nothing is deleted.")
    return redirect("run", pk)


@require_http_methods(["GET", "HEAD", "POST"])
def run_delete(request: MemberRequest, pk: int) -> HttpResponse:
    """What goes with the run; sent, the form deletes it."""
    run_row = fetch_run(request, pk, True)
    dataset, name = run_row.dataset, str(run_row.evaluator)
    if request.method == "POST":
        try:
            with transaction.atomic():
                record(request, Action.DELETED, run_row, detail=str(dataset))
                delete_run(run_row)
        except RunError as error:
            messages.error(request, str(error))
            return redirect("run", pk)
        messages.success(request, f"Run {pk} of {name} is deleted.")
        return redirect("runs", dataset.pk)
    page = _page(request, run_row) | {"goes_with": goes_with(run_row), "last_of_name": _runs_of_the_same(run_row) == 1}
    return render(request, "runs/delete.html", page)


def _page(request: MemberRequest, run_row: Run) -> dict[str, Any]:
    role = role_in(request.user, run_row.dataset)
    return {"run": run_row, "dataset": run_row.dataset, "role": role, "tab": "runs"}


def _responses(request: MemberRequest, run_row: Run) -> dict[str, Any]:
    chosen = read_filter(request.GET)
    page, listed = page_of_responses(run_row, chosen, request.GET.get("page"))
    return {
        "run": run_row,
        "chosen": chosen,
        "shown": shown_of(run_row),
        "domains": domains_of(run_row),
        "responses": page,
        "listed": listed,
    }


def _may_edit(run_row: Run) -> bool:
    finished = run_row.state == Run.State.FINISHED
    return finished and any(run_row.dataset.scheme in editor.schemes for editor in EDITORS.values())


def _others(dataset: Dataset, run_row: Run) -> list[Run]:
    """The runs that it can be laid beside: the last of each other evaluator, and the other runs of its own."""
    own = Run.compared(dataset).filter(evaluator=run_row.evaluator).select_related("evaluator")
    others = {each.pk: each for each in (*latest_runs(dataset), *own) if each != run_row}
    return list(others.values())


def _notes(run_row: Run) -> dict[str, str]:
    tags = ", ".join(tag.name for tag in run_row.tags.all())
    return {"name": run_row.evaluator.name, "tags": tags, "note": run_row.note}


def _runs_of_the_same(run_row: Run) -> int:
    """How many runs over the dataset have its name."""
    return Run.objects.filter(evaluator=run_row.evaluator, dataset=run_row.dataset).count()
