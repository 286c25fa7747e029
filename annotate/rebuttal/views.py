"""The annotator's page of a rebuttal, and the adjudicator's of all that wait."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Prefetch
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, fetch_own_assignment
from annotate.judgements.entries import Draft
from annotate.judgements.judgement import JudgementError
from annotate.judgements.page_keys import PageKeys
from annotate.judgements.units import ResponseReading, readings_of
from annotate.labels.draft import check_draft
from annotate.labels.form import FormError, read_entries, read_version
from annotate.labels.submit import SubmitError, guideline_of
from annotate.labels.workbench import error_types_of
from annotate.links.views import text_context
from annotate.models import Assignment, Dataset, Irrelevance, Response, Role, Task, ViewReceipt
from annotate.models.work import TaskQuerySet
from annotate.people.receipts import note_receipt
from annotate.rebuttal.answer import (
    RebuttalError,
    StaleRebuttalError,
    end_rebuttal,
    let_stand,
    revise,
    revision_of,
    save_revision,
)
from annotate.rebuttal.evidence import frozen_evidence
from annotate.rebuttal.page import sheets_of

PAGE_SIZE = 50


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def rebuttal(request: MemberRequest, key: str) -> HttpResponse:
    """The others' evidence beside one's own judgements, which may be revised once."""
    own = fetch_own_assignment(request.user, key, Role.ANNOTATOR)
    if own.task.rebuttal_at is None or own.state != Assignment.State.SUBMITTED:
        raise Http404("No such rebuttal.")
    if request.method == "POST":
        return _answer(request, own)
    if not own.awaits_rebuttal:
        return redirect("assignment", key)
    return _page(request, own, readings_of(own.task), revision_of(own))


def _answer(request: MemberRequest, own: Assignment) -> HttpResponse:
    readings = readings_of(own.task)
    entries = read_entries(request.POST, readings, revision_of(own), PageKeys(own))
    try:
        draft = check_draft(own.task.dataset, readings, entries)
        message = _do(request.POST.get("action", "save"), own, draft, read_version(request.POST))
    except (JudgementError, FormError, SubmitError) as error:
        # The version that the page had seen: another page's save since then is still stale.
        return _page(request, own, readings, entries, 422, trouble=str(error), version=request.POST.get("version", ""))
    except StaleRebuttalError as error:
        own.refresh_from_db()
        return _page(request, own, readings, entries, 409, trouble=str(error), stale=True)
    except RebuttalError as error:
        return _page(request, own, readings, entries, 409, trouble=str(error), over=True)
    messages.success(request, message)
    own.refresh_from_db()
    if own.awaits_rebuttal:
        return redirect("rebuttal", own.key)
    return redirect("label-next", own.task.dataset_id)


def _do(action: str, own: Assignment, draft: Draft, version: int) -> str:
    """Do the action of the button; return the message."""
    if action == "stand":
        let_stand(own, version)
        return "What you submitted stands."
    if action == "revise":
        changed = revise(own, draft, version)
        return f"Revised: {changed} changed." if changed else "Nothing was changed: what you submitted stands."
    save_revision(own, draft, version)
    return "Saved. It counts once you submit the revision."


def _page(
    request: MemberRequest,
    own: Assignment,
    readings: list[ResponseReading],
    draft: Draft,
    status: int = 200,
    **more: object,
) -> HttpResponse:
    note_receipt(own.task_id, request.user, ViewReceipt.What.EVIDENCE)
    dataset = own.task.dataset
    context = {
        "dataset": dataset,
        "role": Role.ANNOTATOR,
        "tab": "label",
        "assignment": own,
        "sheets": sheets_of(own, readings, draft),
        "prompt": readings[0].response.prompt if readings else None,
        "error_types": error_types_of(dataset),
        "irrelevances": Irrelevance.choices,
        "guideline": guideline_of(own),
        "version": own.draft_version,
        **more,
    }
    return render(request, "rebuttal/rebuttal.html", context, status=status)


@never_cache
@require_GET
def rebuttal_page(request: MemberRequest, key: str, page: str) -> HttpResponse:
    """A page that the others cite as it was frozen, while the rebuttal waits. Its date would tell who came first."""
    own = fetch_own_assignment(request.user, key, Role.ANNOTATOR)
    found = frozen_evidence(own, page) if own.awaits_rebuttal else None
    if found is None:
        raise Http404("No such page.")
    snapshot, quotes = found
    context = {"dataset": own.task.dataset, "role": Role.ANNOTATOR, "tab": "label"}
    return render(request, "links/snapshot.html", {**context, **text_context(snapshot, quotes, None)})


@require_GET
def rebuttals(request: MemberRequest, pk: int) -> HttpResponse:
    """For adjudicators: the tasks that wait in rebuttal, and their annotators."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    page = Paginator(_in_rebuttal(dataset), PAGE_SIZE).get_page(request.GET.get("page"))
    context = {"dataset": dataset, "role": Role.ADJUDICATOR, "tab": "assign", "page": page}
    return render(request, "rebuttal/rebuttals.html", context)


def _in_rebuttal(dataset: Dataset) -> TaskQuerySet:
    """The tasks in rebuttal, the oldest first, each with its annotators who have answered and who have not."""
    prompts = Response.objects.select_related("prompt").only("task_id", "prompt__text")
    people = Assignment.objects.filter(state=Assignment.State.SUBMITTED).select_related("annotator").defer("draft")
    tasks = Task.objects.filter(dataset=dataset).unsettled().in_rebuttal().order_by("rebuttal_at", "position")
    return tasks.prefetch_related(Prefetch("responses", prompts), Prefetch("assignments", people.order_by("place")))


@require_POST
def rebuttal_end(request: MemberRequest, pk: int) -> HttpResponse:
    """Wait no longer for those who have not answered."""
    tasks = Task.objects.select_related("dataset")
    task = fetch_in_dataset(request.user, tasks, pk, "dataset", Role.ADJUDICATOR)
    if end_rebuttal(task, request.user):
        messages.success(request, f"The rebuttal of {task} is over; it can be adjudicated.")
    else:
        messages.warning(request, "Nothing to end: the rebuttal is over already.")
    return redirect("rebuttals", task.dataset_id)
