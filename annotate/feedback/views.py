"""What became of one's judgements, for annotators; what they doubt, for adjudicators."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotate.access import MemberRequest, fetch_dataset, fetch_in_dataset, fetch_own_assignment
from annotate.feedback.challenge import ChallengeError, challenge, challenges_of, decline, uphold
from annotate.feedback.listing import rows_of
from annotate.feedback.outcome import TaskOutcome, closed_work, outcomes, unit_outcomes
from annotate.feedback.whole_outcome import edit_outcomes, removal_outcomes
from annotate.models import Assignment, Challenge, Role, Sight
from annotate.tasks.sights import note_sight

PAGE_SIZE = 25
FILTERS = {"": "All", "differing": "Gold differs", "challenged": "Challenged"}


@never_cache
@require_GET
def outcome_list(request: MemberRequest, pk: int) -> HttpResponse:
    """The annotator's closed tasks, and how often gold agrees with them."""
    dataset = fetch_dataset(request.user, pk, Role.ANNOTATOR)
    every = outcomes(dataset, request.user)
    shown = request.GET.get("show", "")
    kept = [each for each in every if _is_shown(each, shown)]
    judged, differing = sum(each.judged for each in every), sum(each.differing for each in every)
    context = {
        "dataset": dataset,
        "role": Role.ANNOTATOR,
        "tab": "outcome",
        "filters": FILTERS,
        "shown": shown,
        "every": len(every),
        "judged": judged,
        "agreed": judged - differing,
        "share": (judged - differing) / judged if judged else None,
        "page": Paginator(kept, PAGE_SIZE).get_page(request.GET.get("page")),
    }
    return render(request, "feedback/outcomes.html", context)


def _is_shown(outcome: TaskOutcome, shown: str) -> bool:
    return {"differing": outcome.differing > 0, "challenged": outcome.challenges > 0}.get(shown, True)


@never_cache
@require_GET
def outcome(request: MemberRequest, pk: int) -> HttpResponse:
    """One closed task: each own judgement beside gold, and why."""
    own = _fetch_closed(request, pk)
    note_sight(own.task_id, request.user, Sight.What.OUTCOME)
    units = unit_outcomes(own)
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
    }
    return render(request, "feedback/outcome.html", context)


@require_POST
def challenge_unit(request: MemberRequest, pk: int) -> HttpResponse:
    """Doubt the gold of one unit."""
    own = _fetch_closed(request, pk)
    segment, fact = request.POST.get("segment", ""), request.POST.get("fact", "")
    try:
        if not segment.isdecimal() or not (fact.isdecimal() or fact == ""):
            raise ChallengeError("the form does not say which unit it is about")
        challenge(own, int(segment), int(fact) if fact else None, request.POST.get("text", ""))
    except ChallengeError as error:
        messages.error(request, f"Not challenged: {error}.")
    else:
        messages.success(
            request, "Challenged. An adjudicator reads it without your name, and you find the answer here."
        )
    return redirect("outcome", own.pk)


def _fetch_closed(request: MemberRequest, pk: int) -> Assignment:
    own = fetch_own_assignment(request.user, pk, Role.ANNOTATOR)
    if not closed_work(own.task.dataset, own.annotator).filter(pk=own.pk).exists():
        raise Http404("No such outcome.")
    return own


@never_cache
@require_GET
def challenge_list(request: MemberRequest, pk: int) -> HttpResponse:
    """What annotators doubt: open ones first asked for, answered ones to look up. Nobody is named."""
    dataset = fetch_dataset(request.user, pk, Role.ADJUDICATOR)
    answered = request.GET.get("show") == "answered"
    every = challenges_of(dataset)
    open_ones = every.filter(state=Challenge.State.OPEN)
    wanted = every.exclude(state=Challenge.State.OPEN).order_by("-answered_at") if answered else open_ones
    listed = wanted.select_related("segment__response", "fact", "answered_by", "assignment__task")
    page = Paginator(listed, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "dataset": dataset,
        "role": Role.ADJUDICATOR,
        "tab": "challenges",
        "answered": answered,
        "open": open_ones.count(),
        "done": every.count() - open_ones.count(),
        "page": page,
        "rows": rows_of(list(page)),
    }
    return render(request, "feedback/challenges.html", context)


@require_POST
def challenge_answer(request: MemberRequest, pk: int) -> HttpResponse:
    """Uphold or decline a challenge, with an answer; back to the queue for who came from there."""
    challenges = Challenge.objects.select_related("assignment__task__dataset")
    found = fetch_in_dataset(request.user, challenges, pk, "assignment.task.dataset", Role.ADJUDICATOR)
    answer = uphold if request.POST.get("action") == "uphold" else decline
    try:
        answer(found, request.user, request.POST.get("answer", ""))
    except ChallengeError as error:
        messages.error(request, f"Not answered: {error}.")
    else:
        messages.success(request, "Answered. The annotator sees it beside the outcome.")
    back = "adjudicate" if request.POST.get("from") == "queue" else "challenges"
    return redirect(back, found.assignment.task.dataset_id)
