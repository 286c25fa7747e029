"""The annotator's pages: the next piece of work, the workbench, one's own work."""

from django.contrib import messages
from django.db.models import Count
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from annotate.access import MemberRequest, fetch_dataset, fetch_own_assignment
from annotate.labels.draft import Draft, Outcome, Saved, check_draft, draft_of, progress, save_draft
from annotate.labels.form import FormError, read_entries, read_version
from annotate.labels.judgement import Judgement, JudgementError
from annotate.labels.own_work import course_of, own_labels, own_work_page
from annotate.labels.submit import SubmitError, guideline_of, submit
from annotate.labels.units import Reading, readings_of
from annotate.labels.workbench import choices_of, differences, error_types_of, panels
from annotate.models import Assignment, Role
from annotate.tasks.places import lapse_expired, open_assignment, open_next

State = Assignment.State


@never_cache
@require_GET
def label_next(request: MemberRequest, pk: int) -> HttpResponse:
    """To the next piece of work, or a page that says what is left."""
    dataset = fetch_dataset(request.user, pk, Role.ANNOTATOR)
    assignment = open_next(dataset, request.user)
    if assignment is not None:
        return redirect("assignment", assignment.pk)
    own = Assignment.objects.of(dataset).filter(annotator=request.user)
    counts = dict(own.order_by().values_list("state").annotate(Count("pk")))
    context = {
        "dataset": dataset,
        "role": Role.ANNOTATOR,
        "tab": "label",
        "tasks": dataset.tasks.count(),
        "submitted": counts.get(State.SUBMITTED, 0),
        "lapsed": counts.get(State.LAPSED, 0),
    }
    return render(request, "labels/nothing_left.html", context)


@require_GET
def work(request: MemberRequest, pk: int) -> HttpResponse:
    """Everything the annotator has or had in the dataset."""
    dataset = fetch_dataset(request.user, pk, Role.ANNOTATOR)
    lapse_expired(dataset)
    page = own_work_page(dataset, request.user, request.GET.get("state", ""), request.GET.get("page"))
    return render(request, "labels/work.html", {"dataset": dataset, "role": Role.ANNOTATOR, "tab": "work", **page})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def assignment(request: MemberRequest, pk: int) -> HttpResponse:
    """The workbench: read, judge, save, submit; what is no longer in work is shown to read."""
    own = fetch_own_assignment(request.user, pk)
    # Whoever has become adjudicator or researcher since sees others' labels, and labels no more.
    fetch_dataset(request.user, own.task.dataset_id, Role.ANNOTATOR)
    if request.method == "POST":
        return _save(request, own)
    own = open_assignment(own)
    readings = readings_of(own.task)
    if own.state == State.OPEN and own.task.closed_at is None:
        return _workbench(request, own, readings, draft_of(own))
    return _reading_page(request, own, readings)


def _save(request: MemberRequest, own: Assignment) -> HttpResponse:
    readings = readings_of(own.task)
    entries = read_entries(request.POST, readings)
    try:
        draft = check_draft(own.task.dataset, readings, entries)
        version = read_version(request.POST)
    except (JudgementError, FormError) as error:
        return _refuse(request, own, readings, entries, str(error))
    saved = save_draft(own, draft, version)
    if saved.outcome is not Outcome.SAVED:
        return _not_saved(request, saved, readings, draft)
    if request.accepts("text/html"):
        return _after_save(request, saved.assignment, readings, draft)
    return JsonResponse({"version": saved.assignment.draft_version})


def _after_save(request: MemberRequest, own: Assignment, readings: list[Reading], draft: Draft) -> HttpResponse:
    if request.POST.get("action") != "submit":
        messages.success(request, "Saved.")
        return redirect("assignment", own.pk)
    try:
        submit(own)
    except SubmitError as error:
        return _workbench(request, own, readings, draft, status=422, trouble=f"Not submitted: {error}")
    messages.success(request, "Submitted. Thank you: here is what comes next.")
    return redirect("label-next", own.task.dataset_id)


def _refuse(
    request: MemberRequest, own: Assignment, readings: list[Reading], entries: dict[str, Judgement], why: str
) -> HttpResponse:
    """A form that breaks a rule: nothing is stored, and what was written stays on the page."""
    return _workbench(request, own, readings, entries, status=422, trouble=f"Not saved: {why}.")


def _not_saved(request: MemberRequest, saved: Saved, readings: list[Reading], draft: Draft) -> HttpResponse:
    own = saved.assignment
    if saved.outcome is not Outcome.STALE:
        return _reading_page(request, own, readings, status=409)
    stored = draft_of(own)
    conflict = differences(own.task.dataset, readings, draft, stored)
    return _workbench(request, own, readings, draft, status=409, conflict=conflict)


def _workbench(
    request: MemberRequest,
    own: Assignment,
    readings: list[Reading],
    draft: dict[str, Judgement],
    status: int = 200,
    **more: object,
) -> HttpResponse:
    dataset = own.task.dataset
    context = {
        "dataset": dataset,
        "role": Role.ANNOTATOR,
        "tab": "label",
        "assignment": own,
        "panels": panels(dataset, readings, draft),
        "prompt": readings[0].response.prompt if readings else None,
        "choices": choices_of(dataset),
        "error_types": error_types_of(dataset),
        "progress": progress(readings, draft),
        "guideline": guideline_of(own),
        "course": course_of(own),
        **more,
    }
    return render(request, _template(request, "labels/workbench.html"), context, status=status)


def _reading_page(request: MemberRequest, own: Assignment, readings: list[Reading], status: int = 200) -> HttpResponse:
    """What was submitted, or the text of a draft that counts no more."""
    dataset = own.task.dataset
    judged = own_labels(own) if own.state == State.SUBMITTED else draft_of(own)
    context = {
        "dataset": dataset,
        "role": Role.ANNOTATOR,
        "tab": "work",
        "assignment": own,
        "panels": panels(dataset, readings, judged),
        "prompt": readings[0].response.prompt if readings else None,
        "course": course_of(own),
    }
    return render(request, _template(request, "labels/reading.html"), context, status=status)


def _template(request: MemberRequest, page: str) -> str:
    """The whole page, or for the script only the part that says what is wrong."""
    return page if request.accepts("text/html") else f"{page}#trouble"
