"""The annotator's pages of a rebuttal, and the adjudicator's of all that wait."""

from contextlib import suppress

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Prefetch
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, fetch_own_assignment
from annotate.judgements.judgement import JudgementError
from annotate.judgements.page_keys import PageKeys
from annotate.judgements.units import readings_of
from annotate.labels.changes import check_changes
from annotate.labels.contexts import assignment_page_of
from annotate.labels.draft import check_draft
from annotate.labels.form import FormError, read_entries, read_guideline, read_version
from annotate.labels.guidelines import check_version, newest_version
from annotate.labels.own_work import waiting_rebuttals
from annotate.labels.payload import read_sent
from annotate.labels.script_views import comparison
from annotate.labels.submit import SubmitError
from annotate.links.views import text_context
from annotate.models import Assignment, Dataset, Response, Role, Task, ViewReceipt
from annotate.models.work import TaskQuerySet
from annotate.people.receipts import note_receipt
from annotate.rebuttal.answer import RebuttalError, StaleRebuttalError, end_rebuttal, let_stand, revise, save_revision
from annotate.rebuttal.evidence import frozen_evidence
from annotate.rebuttal.page import Revision, rebuttal_bench, rebuttal_form, revision_at_hand
from core.errors import not_saved
from core.numbers import read_number

PAGE_SIZE = 50
KEPT = "Your submitted answers stay."


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def rebuttal(request: MemberRequest, key: str) -> HttpResponse:
    """The workbench where annotators differ, beside the others' evidence. A post is its plain form."""
    own = _fetch_own(request, key)
    if request.method == "POST":
        return _answer(request, own)
    if not own.awaits_rebuttal:
        return redirect("assignment", key)
    note_receipt(own.task_id, request.user, ViewReceipt.What.EVIDENCE)
    if "plain" in request.GET:
        return _form(request, own)
    return render(request, "labels/workbench.html", rebuttal_bench(own))


def _fetch_own(request: MemberRequest, key: str) -> Assignment:
    """One's own submitted assignment in a rebuttal, answered or not; 404 for any other."""
    own = fetch_own_assignment(request.user, key, Role.ANNOTATOR)
    if own.task.rebuttal_at is None or own.state != Assignment.State.SUBMITTED:
        raise Http404("No such rebuttal.")
    return own


@require_POST
def rebuttal_save(request: MemberRequest, key: str) -> JsonResponse:
    """Save what changed, or answer the rebuttal; answers as of the workbench (annotate/labels/script_views.py)."""
    own = _fetch_own(request, key)
    try:
        sent = read_sent(request)
        check_version(own, sent.guideline)
        revision = revision_at_hand(own, readings_of(own.task))
        revision = revision.with_changes(check_changes(own, sent.changes, revision.readings))
        if sent.submit:
            return _next(request, own.task.dataset, _end(own, revision, sent.version, sent.keep, sent.guideline))
        # A save without a change asks for the version alone: the revision has not begun by it.
        asks = own.awaits_rebuttal and not sent.changes
        saved = own if asks else save_revision(own, revision.draft, sent.version)
    except (JudgementError, FormError) as error:
        return JsonResponse({"error": not_saved(error)}, status=422)
    except SubmitError as error:
        return JsonResponse({"error": f"Not submitted: {error}"}, status=422)
    except StaleRebuttalError:
        return JsonResponse({"outcome": "stale"}, status=409)
    except RebuttalError as error:
        html = render_to_string("rebuttal/over.html", {"assignment": own, "trouble": error}, request)
        return JsonResponse({"outcome": "over", "html": html}, status=409)
    stored = {"version": saved.draft_version, "active": saved.active_seconds}
    return JsonResponse({**stored, "guideline": newest_version(own)})


def _end(own: Assignment, revision: Revision, version: int, keep: bool, shown: int | None) -> str:
    """End the annotator's part; the message about it. Raises RebuttalError, SubmitError."""
    if keep:
        let_stand(own, version)
        return KEPT
    changed = revise(own, revision.whole, version, shown=shown)
    return f"Revised: {changed} changed." if changed else f"No changes. {KEPT}"


def _next(request: MemberRequest, dataset: Dataset, notice: str) -> JsonResponse:
    """Where to go after an answer, as after a submission; "html" is the workbench of the next rebuttal that waits."""
    upcoming = waiting_rebuttals(dataset, request.user).select_related("task").first()
    if upcoming is None:
        messages.success(request, notice)
        return JsonResponse({"next": reverse("label-next", args=[dataset.pk])})
    upcoming.task.dataset, upcoming.annotator = dataset, request.user
    note_receipt(upcoming.task_id, request.user, ViewReceipt.What.EVIDENCE)
    html = render_to_string("labels/bench.html", rebuttal_bench(upcoming), request)
    return JsonResponse({"next": reverse("rebuttal", args=[upcoming.key]), "html": html, "notice": notice})


@require_POST
def rebuttal_compare(request: MemberRequest, key: str) -> JsonResponse:
    """Both versions of the revision, where two pages differ."""
    own = _fetch_own(request, key)
    revision = revision_at_hand(own, readings_of(own.task))
    return comparison(request, own, revision.readings, revision.draft)


def _answer(request: MemberRequest, own: Assignment) -> HttpResponse:
    """The plain form: what breaks a rule stores nothing, and its text stays on the page."""
    revision = revision_at_hand(own, readings_of(own.task))
    entries = read_entries(request.POST, revision.readings, revision.draft, PageKeys(own))
    written = revision.with_changes({**dict.fromkeys(revision.draft), **entries})
    try:
        draft = check_draft(own.task.dataset, revision.readings, written.draft)
        version, action = read_version(request.POST), request.POST.get("action", "save")
        shown = read_guideline(request.POST)
        check_version(own, shown)
        revised = written.with_changes({**dict.fromkeys(written.draft), **draft})
        if action in ("keep", "submit"):
            messages.success(request, _end(own, revised, version, action == "keep", shown))
            return _after(own)
        save_revision(own, draft, version)
    except (JudgementError, FormError, SubmitError) as error:
        # The version that the page had seen: another page's save since then is still stale.
        seen = request.POST.get("version", "")
        return _form(request, own, written, 422, trouble=f"Not submitted: {error}", version=seen)
    except StaleRebuttalError as error:
        own.refresh_from_db()
        return _form(request, own, written, 409, trouble=str(error), stale=True)
    except RebuttalError as error:
        return _form(request, own, written, 409, trouble=str(error), over=True)
    messages.success(request, "Saved. Submit the revision to finish.")
    return redirect(f"{reverse('rebuttal', args=[own.key])}?plain")


def _after(own: Assignment) -> HttpResponse:
    upcoming = waiting_rebuttals(own.task.dataset, own.annotator).first()
    if upcoming is None:
        return redirect("label-next", own.task.dataset_id)
    return redirect("rebuttal", upcoming.key)


def _form(
    request: MemberRequest, own: Assignment, written: Revision | None = None, status: int = 200, **more: object
) -> HttpResponse:
    page = assignment_page_of(own)
    revision = written or revision_at_hand(own, page.readings)
    context = {**rebuttal_form(own, page, revision), "version": own.draft_version, **more}
    return render(request, "labels/plain.html", context, status=status)


@require_POST
def rebuttals_keep(request: MemberRequest, pk: int) -> HttpResponse:
    """Keep one's answers in all rebuttals that wait and in which nothing was revised, if they are as `many` as the page
    said when it asked."""
    dataset = fetch_dataset(request.user, pk, Role.ANNOTATOR)
    untouched = list(waiting_rebuttals(dataset, request.user).untouched().select_related("task__dataset"))
    if len(untouched) != read_number(request.POST.get("many", "")):
        messages.warning(request, f"Not changed: {len(untouched)} rebuttals are open now.")
        return redirect("work", pk)
    kept = 0
    for own in untouched:
        with suppress(RebuttalError):  # revised or ended this moment
            let_stand(own, own.draft_version)
            kept += 1
    messages.success(request, f"{KEPT} {kept} rebuttal{'' if kept == 1 else 's'} answered.")
    return redirect("label-next", pk)


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
    prompts = Response.objects.select_related("prompt").only("task_id", "text", "prompt__text")
    people = (
        Assignment.objects.filter(state=Assignment.State.SUBMITTED).select_related("annotator").defer(*Assignment.LARGE)
    )
    tasks = Task.objects.filter(dataset=dataset).unsettled().in_rebuttal().order_by("rebuttal_at", "position")
    return tasks.prefetch_related(Prefetch("responses", prompts), Prefetch("assignments", people.order_by("place")))


@require_POST
def rebuttal_end(request: MemberRequest, pk: int) -> HttpResponse:
    """Wait no longer for those who have not answered."""
    tasks = Task.objects.select_related("dataset")
    task = fetch_in_dataset(request.user, tasks, pk, "dataset", Role.ADJUDICATOR)
    if end_rebuttal(task, request.user):
        messages.success(request, f"The rebuttal of {task} has ended. You can adjudicate the task.")
    else:
        messages.warning(request, "The rebuttal has already ended.")
    return redirect("rebuttals", task.dataset_id)
