"""Requests of the workbench's script: saves, both versions of a draft, skipping, and a person's keys."""

from collections.abc import Sequence
from dataclasses import replace

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_POST

from annotate.access import MemberRequest, RemovedError, fetch_own_assignment
from annotate.judgements.entries import Draft, draft_of
from annotate.judgements.judgement import JudgementError
from annotate.judgements.page_keys import PageKeys
from annotate.judgements.units import ResponseReading, readings_of
from annotate.labels.changes import check_changes, merged, save_changes
from annotate.labels.conflict import differences
from annotate.labels.contexts import assignment_page_of, bench_context
from annotate.labels.draft import Saved, SaveOutcome, addresses_of
from annotate.labels.form import FormError
from annotate.labels.guidelines import check_version, newest_version
from annotate.labels.keys import KeysError, commands_of, remap
from annotate.labels.payload import DraftPayload, for_page, read_page, read_sent
from annotate.labels.skip import SkipError, skip, take_up
from annotate.labels.submit import save_and_submit
from annotate.labels.suggested import suggestions_after
from annotate.models import Assignment, Dataset, Role, Scheme
from annotate.qualification.status import has_unread_answers
from annotate.tasks.serving import open_next
from core.counters import SAVES
from core.errors import not_saved
from core.page_paths import keyed_path

NEXT_TASK = "Submitted. This is the next task."


@require_POST
def save(request: MemberRequest, key: str) -> JsonResponse:
    """Write what changed: 200 with the new version, the newest one of the guidelines and the suggestions that the
    labels made known, or with "next" after submission; 409 with the outcome of a save that was not written, or with
    "html" for a person who may save no more; 422 with the "error" of a broken rule."""
    try:
        own = fetch_own_assignment(request.user, key, Role.ANNOTATOR)
    except (RemovedError, PermissionDenied) as error:
        why = "" if isinstance(error, RemovedError) else str(error)
        return JsonResponse({"html": render_to_string("labels/removed.html#trouble", {"why": why})}, status=409)
    try:
        sent = read_sent(request)
        check_version(own, sent.guideline)
        saved = _write(own, sent)
        SAVES.labels(saved.outcome.value).inc()
    except (JudgementError, FormError) as error:
        return JsonResponse({"error": not_saved(error)}, status=422)
    if saved.outcome is not SaveOutcome.SAVED:
        return _not_saved(request, saved)
    stored = {**_stored(saved.assignment), "shift": sent.worked.shift(timezone.now()), "guideline": newest_version(own)}
    if saved.unready:
        return JsonResponse({"error": saved.message, **stored}, status=422)
    if sent.submit:
        return _next(request, saved.assignment.task.dataset)
    suggestions = suggestions_after(saved.assignment, sent.changes)
    return JsonResponse({**stored, "suggestions": suggestions} if suggestions else stored)


def _write(own: Assignment, sent: DraftPayload) -> Saved:
    """Raises JudgementError for a broken rule; nothing is written then."""
    if not sent.submit:
        return save_changes(own, check_changes(own, sent.changes), sent.version, sent.worked, guideline=sent.guideline)

    def changed_draft(readings: Sequence[ResponseReading]) -> Draft:
        return merged(draft_of(own), check_changes(own, sent.changes, readings))

    return save_and_submit(own, changed_draft, sent.version, sent.worked, sent.guideline)


def _stored(own: Assignment) -> dict[str, int]:
    return {"version": own.draft_version, "active": own.active_seconds}


def _next(request: MemberRequest, dataset: Dataset) -> JsonResponse:
    """Where to go after a submission; "html" is the next piece of work, if there is one: an annotator who goes on
    waits for one answer, not for two."""
    unread = has_unread_answers(dataset, request.user)
    upcoming = None if unread else open_next(dataset, request.user, on_page=True)
    if upcoming is None:
        messages.success(request, "Submitted.")
        return JsonResponse({"next": reverse("label-next", args=[dataset.pk])})
    upcoming.task.dataset, upcoming.annotator = dataset, request.user
    html = render_to_string("labels/bench.html", bench_context(upcoming, assignment_page_of(upcoming)), request)
    return JsonResponse({"next": keyed_path("assignment", upcoming.key), "html": html, "notice": NEXT_TASK})


def _not_saved(request: MemberRequest, saved: Saved) -> JsonResponse:
    answer = {"outcome": saved.outcome.value}
    if saved.outcome is not SaveOutcome.STALE:
        context = {"assignment": saved.assignment, "dataset": saved.assignment.task.dataset}
        answer["html"] = render_to_string("labels/reading.html#trouble", context, request)
    return JsonResponse(answer, status=409)


@require_POST
def compare(request: MemberRequest, key: str) -> JsonResponse:
    """The stored draft; a table of where the page differs from it ("" if nowhere); and where only the page's own older
    words are stored, its answer having been lost: that is no difference."""
    own = fetch_own_assignment(request.user, key, Role.ANNOTATOR)
    return comparison(request, own, readings_of(own.task), draft_of(own))


def comparison(request: MemberRequest, own: Assignment, readings: list[ResponseReading], stored: Draft) -> JsonResponse:
    """The answer of `compare`, for a draft of these readings."""
    keys = PageKeys(own)
    try:
        page = read_page(request, keys.read({*stored, *addresses_of(own.task.dataset, readings)}))
    except (JudgementError, FormError) as error:
        return JsonResponse({"error": not_saved(error)}, status=422)
    older = page.own(stored)
    differing = differences(readings, page.mine, stored, keys, page.unsaved)
    conflict = [difference for difference in differing if difference.key not in older]
    context = {"conflict": conflict, "dataset": own.task.dataset, "picking": True}
    html = render_to_string("labels/conflict.html", context) if conflict else ""
    return JsonResponse({**for_page(own, keys, stored), "html": html, "own": [keys.of(each) for each in older]})


@require_POST
def skip_task(request: MemberRequest, key: str) -> HttpResponse:
    """Free the place, and on to the next piece of work; the workbench's script gets its address."""
    own = fetch_own_assignment(request.user, key, Role.ANNOTATOR)
    address = reverse("assignment", args=[key])
    by_script = not request.accepts("text/html")
    try:
        skip(own, request.POST.get("reason", ""))
    except (SkipError, JudgementError) as error:
        trouble = f"Not skipped: {error}"
        if by_script:
            return JsonResponse({"error": trouble}, status=422)
        messages.error(request, trouble)
        return redirect(address)
    messages.success(request, format_html('Skipped. Your work is kept. <a href="{}">Reopen</a>', address))
    following = reverse("label-next", args=[own.task.dataset_id])
    return JsonResponse({"next": following}) if by_script else redirect(following)


@require_POST
def take_up_task(request: MemberRequest, key: str) -> HttpResponse:
    """Take up a skipped task again, if a place is still free."""
    own = take_up(fetch_own_assignment(request.user, key, Role.ANNOTATOR))
    if own.state != Assignment.State.OPEN:
        messages.error(request, "All assignments of this task are taken: the task stays skipped.")
    return redirect("assignment", key)


@require_POST
def keys(request: MemberRequest) -> HttpResponse:
    """Map the keyboard anew; the answer is the list of keys, with the error if there is one."""
    asked = request.POST.get("scheme")
    scheme = asked if asked in Scheme.values else Scheme.FELM.value
    commands = commands_of(request.user.keys, scheme)
    wanted = {command.name: request.POST.get(command.name, command.key) for command in commands}
    moves_on = request.POST.get("moves_on", "yes" if request.user.moves_on else "no") == "yes"
    context: dict[str, object] = {"scheme": scheme, "moves_on": moves_on}
    try:
        remap(request.user, wanted, moves_on)
        context |= {"commands": commands_of(request.user.keys, scheme), "kept": True}
    except KeysError as error:
        context |= {
            "commands": [replace(each, key=wanted[each.name]) for each in commands],
            "trouble": not_saved(error),
        }
    return render(request, "labels/keys.html", context, status=422 if "trouble" in context else 200)
