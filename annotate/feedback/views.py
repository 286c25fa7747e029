"""Outcomes of one's judgements, for annotators; their challenges, for adjudicators."""

from collections.abc import Sequence

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, fetch_own_assignment
from annotate.feedback.challenge import ChallengeError, challenge, challenges_of, decline, uphold
from annotate.feedback.listing import rows_of
from annotate.feedback.outcome import TaskOutcome, UnitOutcome, closed_work, outcomes, own_weeks, unit_outcomes
from annotate.feedback.whole_outcome import edit_outcomes, removal_outcomes
from annotate.models import Assignment, Challenge, Dataset, Role, ViewReceipt
from annotate.people.receipts import note_receipt, note_receipts

PAGE_SIZE = 25
FILTERS = {"": "All", "differing": "Gold differs", "challenged": "Challenged"}


@never_cache
@require_GET
def outcome_list(request: MemberRequest, pk: int) -> HttpResponse:
    """The annotator's closed tasks, and how often gold agrees with them."""
    dataset = fetch_dataset(request.user, pk, Role.ANNOTATOR)
    every = outcomes(dataset, request.user)
    filter_ = request.GET.get("show", "")
    matching = [each for each in every if _matches(each, filter_)]
    judged, differing = sum(each.judged for each in every), sum(each.differing for each in every)
    context = {
        "dataset": dataset,
        "role": Role.ANNOTATOR,
        "tab": "outcome",
        "filters": FILTERS,
        "shown": filter_,
        "every": len(every),
        "judged": judged,
        "agreed": judged - differing,
        "share": (judged - differing) / judged if judged else None,
        "weeks": own_weeks(every),
        "page": Paginator(matching, PAGE_SIZE).get_page(request.GET.get("page")),
    }
    return render(request, "feedback/outcomes.html", context)


def _matches(outcome: TaskOutcome, filter_: str) -> bool:
    return {"differing": outcome.differing > 0, "challenged": outcome.challenges > 0}.get(filter_, True)


@never_cache
@require_GET
def outcome(request: MemberRequest, key: str) -> HttpResponse:
    """One closed task: each own judgement beside gold, and why."""
    own = _fetch_closed(request, key)
    return _outcome_page(request, own, unit_outcomes(own))


def _outcome_page(
    request: MemberRequest, own: Assignment, units: Sequence[UnitOutcome], status: int = 200, **more: object
) -> HttpResponse:
    note_receipt(own.task_id, request.user, ViewReceipt.What.OUTCOME)
    context = {
        "dataset": own.task.dataset,
        "role": Role.ANNOTATOR,
        "tab": "outcome",
        "assignment": own,
        "units": units,
        "differing": sum(unit.differs for unit in units),
        "edits": edit_outcomes(own),
        "removals": removal_outcomes(own),
        "prompt": own.task.responses.select_related("prompt").first(),
        **more,
    }
    return render(request, "feedback/outcome.html", context, status=status)


@require_POST
def challenge_unit(request: MemberRequest, key: str) -> HttpResponse:
    """Doubt the gold of one unit; a challenge that cannot be made stays written on the page."""
    own = _fetch_closed(request, key)
    name, text = request.POST.get("unit", ""), request.POST.get("text", "")
    unit = next((each for each in unit_outcomes(own) if each.key == name), None)
    try:
        if unit is None:
            raise ChallengeError("the form does not say which unit it is about")
        challenge(own, *unit.address, text)
    except ChallengeError as error:
        units = unit_outcomes(own)
        doubted = next((each for each in units if each.may_challenge and each.key == name), None)
        return _outcome_page(request, own, units, 422, trouble=str(error), doubted=doubted, text=text)
    messages.success(request, "Challenged. An adjudicator reads it without your name, and you find the answer here.")
    return redirect("outcome", key)


def _fetch_closed(request: MemberRequest, key: str) -> Assignment:
    own = fetch_own_assignment(request.user, key, Role.ANNOTATOR)
    if not closed_work(own.task.dataset, own.annotator).filter(pk=own.pk).exists():
        raise Http404("No such outcome.")
    return own


@never_cache
@require_GET
def challenge_list(request: MemberRequest, pk: int) -> HttpResponse:
    """Challenges of annotators: open ones, oldest first, and answered ones. Nobody is named."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    answered = request.GET.get("show") == "answered"
    every = challenges_of(dataset)
    waiting = every.filter(state=Challenge.State.OPEN)
    wanted = every.exclude(state=Challenge.State.OPEN).order_by("-answered_at") if answered else waiting
    page = Paginator(_listed(wanted), PAGE_SIZE).get_page(request.GET.get("page"))
    return _challenges_page(request, dataset, list(page), answered=answered, page=page)


def _listed(challenges: QuerySet[Challenge]) -> QuerySet[Challenge]:
    return challenges.select_related("segment__response", "fact", "answered_by", "assignment__task")


def _challenges_page(
    request: MemberRequest, dataset: Dataset, challenges: Sequence[Challenge], status: int = 200, **more: object
) -> HttpResponse:
    note_receipts([each.assignment.task_id for each in challenges], request.user, ViewReceipt.What.LABELS)
    every = challenges_of(dataset)
    waiting = every.filter(state=Challenge.State.OPEN).count()
    context = {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "challenges",
        "open": waiting,
        "done": every.count() - waiting,
        "rows": rows_of(challenges),
        **more,
    }
    return render(request, "feedback/challenges.html", context, status=status)


@require_POST
def challenge_answer(request: MemberRequest, pk: int) -> HttpResponse:
    """Uphold or decline a challenge, with an answer; back to the queue for who came from there.

    An answer that cannot be given stays written on a page of this challenge alone.
    """
    challenges = Challenge.objects.select_related("assignment__task__dataset")
    challenge = fetch_in_dataset(request.user, challenges, pk, "assignment.task.dataset", Role.ADJUDICATOR)
    dataset = challenge.assignment.task.dataset
    answer, came_from = request.POST.get("answer", ""), request.POST.get("from", "")
    give = uphold if request.POST.get("action") == "uphold" else decline
    try:
        give(challenge, request.user, answer)
    except ChallengeError as error:
        again = _listed(challenges_of(dataset)).get(pk=pk)
        fields = {"trouble": str(error), "answer": answer, "came_from": came_from}
        return _challenges_page(request, dataset, [again], 422, **fields)
    messages.success(request, "Answered. The annotator sees it beside the outcome.")
    if came_from != "queue":
        return redirect("challenges", dataset.pk)
    # The position in the queue: challenges left for later do not come back at once.
    place = {name: request.POST[name] for name in ("slice", "after") if name in request.POST}
    return redirect(reverse("adjudicate", args=[dataset.pk], query=place))
