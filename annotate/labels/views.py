"""The annotator's pages: the next piece of work, the workbench, its plain form, one's own work."""

from django.contrib import messages
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from annotate.access import MemberRequest, RemovedError, fetch_dataset, fetch_own_assignment
from annotate.judgements.entries import COMMENT_KEY, Draft, draft_of
from annotate.judgements.judgement import JudgementError
from annotate.judgements.page_keys import PageKeys
from annotate.labels.conflict import differences
from annotate.labels.contexts import AssignmentPage, assignment_page_of, bench_context, mirror_of, page_context
from annotate.labels.draft import Saved, SaveOutcome, check_draft, progress, save_draft
from annotate.labels.form import TEXTS, FormError, read_entries, read_guideline, read_version
from annotate.labels.guidelines import check_version
from annotate.labels.next_work import NextStep, next_work
from annotate.labels.own_work import own_work_page
from annotate.labels.payload import stored_entries
from annotate.labels.returned import may_take_back
from annotate.labels.submit import save_and_submit
from annotate.labels.submitted import submitted_draft
from annotate.models import Assignment, OutsidePerson, Role, ViewReceipt
from annotate.models.shared_conversation import is_open_to
from annotate.people.receipts import note_receipt
from annotate.qualification.status import may_work
from annotate.tasks.limits import deadlines_of
from annotate.tasks.places import keep_open, lapse_expired
from core.counters import SAVES
from core.errors import not_saved

State = Assignment.State


@never_cache
@require_GET
def label_next(request: MemberRequest, pk: int) -> HttpResponse:
    """To the next piece of work, or a page about the work that is left."""
    dataset = fetch_dataset(request.user, pk, Role.ANNOTATOR)
    following = next_work(dataset, request.user)
    if following.step is NextStep.QUALIFICATION:
        return redirect("qualification", dataset.pk)
    if following.assignment is not None:
        page = "assignment" if following.step is NextStep.LABEL else "rebuttal"
        return redirect(page, following.assignment.key)
    if OutsidePerson.objects.filter(person=request.user, link__dataset=dataset).exists():
        return redirect("outside-end", dataset.pk)
    own = Assignment.objects.of(dataset).filter(annotator=request.user)
    counts = dict(own.order_by().values_list("state").annotate(Count("pk")))
    given_back = own.filter(state=State.LAPSED, lease_until__isnull=True).count()
    context = {
        "dataset": dataset,
        "role": Role.ANNOTATOR,
        "tab": "label",
        "tasks": dataset.tasks.count(),
        "submitted": counts.get(State.SUBMITTED, 0),
        # An assignment given back by an adjudicator has no lease left to take up again (tasks/places.py).
        "ran_out": counts.get(State.LAPSED, 0) - given_back,
        "given_back": given_back,
        "skipped": counts.get(State.SKIPPED, 0),
        "deadlines": deadlines_of(dataset, request.user),
    }
    return render(request, "labels/nothing_left.html", context)


@require_GET
def work(request: MemberRequest, pk: int) -> HttpResponse:
    """Everything the annotator has or had in the dataset."""
    dataset = fetch_dataset(request.user, pk, Role.ANNOTATOR)
    lapse_expired(dataset)
    query = request.GET
    page = own_work_page(dataset, request.user, query.get("state", ""), query.get("q", "").strip(), query.get("page"))
    return render(request, "labels/work.html", {"dataset": dataset, "role": Role.ANNOTATOR, "tab": "work", **page})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def assignment(request: MemberRequest, key: str) -> HttpResponse:
    """The workbench; an assignment no longer in work is read-only. A post is the plain form, which needs no script."""
    try:
        own = fetch_own_assignment(request.user, key, Role.ANNOTATOR)
    except RemovedError:
        return _removed(request, key)
    if request.method == "POST":
        return _save(request, own)
    if own.state == State.RESERVED and not may_work(own.task.dataset, request.user):
        return redirect("qualification", own.task.dataset_id)
    own = keep_open(own)
    note_receipt(own.task_id, request.user, ViewReceipt.What.TASK)
    page = assignment_page_of(own)
    if own.state != State.OPEN or own.task.closed_at is not None:
        return reading_page(request, own, page)
    if "plain" in request.GET:
        return _plain_form(request, own, page, draft_of(own))
    return render(request, "labels/workbench.html", bench_context(own, page))


def _removed(request: MemberRequest, key: str) -> HttpResponse:
    """For a person who was removed: what they posted, and what their browser still holds of the task, to be copied."""
    own = Assignment(key=key)
    posted = [text for name in request.POST if name.startswith(TEXTS) and (text := request.POST.get(name, "").strip())]
    context = {"posted": posted, "stored": {"mirror": mirror_of(own), "entries": {}}}
    return render(request, "labels/removed.html", context, status=404)


def _plain_form(
    request: MemberRequest, own: Assignment, page: AssignmentPage, draft: Draft, status: int = 200, **more: object
) -> HttpResponse:
    context = {
        **page_context(own, page, draft, tab="label"),
        "progress": progress(page.readings, draft),
        "comment": draft.get(COMMENT_KEY),
        "version": own.draft_version,
        **more,
    }
    return render(request, "labels/plain.html", context, status=status)


def reading_page(request: MemberRequest, own: Assignment, page: AssignmentPage, status: int = 200) -> HttpResponse:
    """The submitted labels, or the text of a draft that counts no more."""
    draft = submitted_draft(own) if own.state == State.SUBMITTED else draft_of(own)
    stored = {"mirror": mirror_of(own), "entries": stored_entries(draft, PageKeys(own))}
    context = {
        **page_context(own, page, draft, tab="work"),
        "comment": draft.get(COMMENT_KEY),
        "stored": stored,
        "may_take_back": may_take_back(own),
        "shared_conversation": is_open_to(own),
    }
    return render(request, "labels/reading.html", context, status=status)


def _save(request: MemberRequest, own: Assignment) -> HttpResponse:
    """The plain form. One that breaks a rule stores nothing, and its text stays on the page."""
    page = assignment_page_of(own)
    readings = page.readings
    entries = read_entries(request.POST, readings, draft_of(own), PageKeys(own))
    try:
        draft = check_draft(own.task.dataset, readings, entries)
        version, guideline = read_version(request.POST), read_guideline(request.POST)
        check_version(own, guideline)
    except (JudgementError, FormError) as error:
        # The version that the page had seen: another page's save since then is still a conflict.
        seen = request.POST.get("version", "")
        return _plain_form(request, own, page, entries, status=422, trouble=not_saved(error), version=seen)
    if request.POST.get("action") == "submit":
        saved = save_and_submit(own, lambda _: draft, version, guideline=guideline)
    else:
        saved = save_draft(own, draft, version, guideline=guideline)
    SAVES.labels(saved.outcome.value).inc()
    if saved.outcome is not SaveOutcome.SAVED:
        return _not_saved(request, saved, page, draft)
    if saved.unready:
        return _plain_form(request, saved.assignment, page, draft, status=422, trouble=saved.message)
    if saved.assignment.state != State.SUBMITTED:
        messages.success(request, "Saved.")
        return redirect(f"{reverse('assignment', args=[own.key])}?plain")
    messages.success(request, "Submitted.")
    return redirect("label-next", own.task.dataset_id)


def _not_saved(request: MemberRequest, saved: Saved, page: AssignmentPage, draft: Draft) -> HttpResponse:
    own = saved.assignment
    if saved.outcome is not SaveOutcome.STALE:
        return reading_page(request, own, page, status=409)
    conflict = differences(page.readings, draft, draft_of(own), PageKeys(own))
    return _plain_form(request, own, page, draft, status=409, conflict=conflict)
