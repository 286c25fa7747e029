"""Stuck work: places about to lapse, work that waits for a person, challenges without an answer."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Exists, F, Max, OuterRef, QuerySet
from django.urls import reverse
from django.utils import timezone

from annotate.cases.addresses import AddressStatus, cases_of, tasks_to_settle
from annotate.cases.open_wholes import OpenWhole, open_wholes
from annotate.cases.signatures import lacking_signatures, levels_of
from annotate.feedback.challenge import challenges_of
from annotate.models import (
    Assignment,
    Challenge,
    Dataset,
    GoldLabel,
    Membership,
    Role,
    Scheme,
    SecondLookItem,
    SecondLookRating,
    Segment,
    Signature,
    Task,
)
from annotate.models.corpus import visible
from annotate.models.work import AssignmentQuerySet, TaskQuerySet

SHOWN = 10
SOON = timedelta(hours=2)
State = Assignment.State


@dataclass(frozen=True)
class Waiting:
    """One thing that waits. `since`: since when, or until when where it is about to lapse (None: not known).

    `task` is None where nobody labels its response; `place` is the primary key of the assignment to give back, None
    where there is none.
    """

    task: Task | None
    since: datetime | None
    who: str = ""
    note: str = ""
    place: int | None = None


@dataclass(frozen=True)
class Stuck:
    """Things that wait for the same; `count` of them, the oldest shown, and where to go to get them going."""

    title: str
    advice: str
    count: int
    oldest: list[Waiting] = field(default_factory=list)
    link: str = ""


def stuck_in(dataset: Dataset, now: datetime | None = None) -> list[Stuck]:
    """Waiting work in the dataset, without empty kinds; a bounded number of queries."""
    now = now or timezone.now()
    kinds = (
        _about_to_lapse(dataset, now),
        _lapsed_with_drafts(dataset),
        _without_annotator(dataset),
        _in_rebuttal(dataset),
        *_to_settle(dataset),
        _to_sign_anew(dataset),
        _challenged(dataset),
        _to_look_at(dataset),
    )
    return [kind for kind in kinds if kind.count]


def _about_to_lapse(dataset: Dataset, now: datetime) -> Stuck:
    held = Assignment.objects.of(dataset).filter(state=State.OPEN, task__closed_at__isnull=True)
    soon = held.filter(lease_until__lt=now + SOON)
    return Stuck(
        "Assignments that expire soon",
        "Opening or saving the task renews the time. Unassign annotators who have left.",
        soon.count(),
        _of_places(soon.order_by("lease_until"), "lease_until"),
        reverse("assign", args=[dataset.pk]) + "?state=open&sort=lease",
    )


def _lapsed_with_drafts(dataset: Dataset) -> Stuck:
    lapsed = Assignment.objects.of(dataset).filter(state=State.LAPSED, task__closed_at__isnull=True)
    written = lapsed.filter(draft_version__gt=0).exclude(draft={})
    return Stuck(
        "Expired with a draft",
        "The draft is kept. The annotator can reopen the task from My work until somebody else has it. "
        "An unassigned task can only be read.",
        written.count(),
        _of_places(written.order_by(F("lease_until").asc(nulls_first=True)), "lease_until"),
        reverse("oversight-work", args=[dataset.pk]) + "?state=lapsed",
    )


def _without_annotator(dataset: Dataset) -> Stuck:
    free = Task.objects.filter(dataset=dataset).real().unsettled().with_a_free_place().order_by("position")
    return Stuck(
        "Waiting for an annotator",
        "These tasks are not assigned. Assign them, or add annotators.",
        free.count(),
        [Waiting(task, None) for task in free[:SHOWN]],
        reverse("assign", args=[dataset.pk]) + "?state=free",
    )


def _in_rebuttal(dataset: Dataset) -> Stuck:
    awaited = Assignment.objects.of(dataset).awaited_in_rebuttal().select_related("task", "annotator")
    return Stuck(
        "Waiting for a rebuttal",
        "The annotator sees the other evidence and has not answered yet.",
        awaited.count(),
        [
            Waiting(each.task, each.task.rebuttal_at, each.annotator.get_username())
            for each in awaited.defer(*Assignment.LARGE).order_by("task__rebuttal_at")[:SHOWN]
        ],
        reverse("rebuttals", args=[dataset.pk]),
    )


def _to_settle(dataset: Dataset) -> list[Stuck]:
    """Tasks whose annotators are done, the oldest first: those with units to settle, and those only to be signed."""
    waiting = tasks_to_settle(dataset).unsettled()
    wholes = _wholes_to_settle(dataset, waiting)
    signing = _settled_whole(dataset, waiting) - set(wholes)
    by_age = waiting.annotate(done_at=Max("assignments__submitted_at")).order_by("done_at", "position")
    done_at = dict(by_age.values_list("pk", "done_at"))
    to_decide = [pk for pk in done_at if pk not in signing]
    to_sign = [pk for pk in done_at if pk in signing]
    tasks = Task.objects.in_bulk([*to_decide[:SHOWN], *to_sign[:SHOWN]])
    cases = cases_of(dataset, Task.objects.filter(pk__in=to_decide[:SHOWN]))
    disputed = Counter(case.task for case in cases if case.standing != AddressStatus.UNANIMOUS)
    return [
        Stuck(
            "Waiting for adjudication",
            "All annotators are done.",
            len(to_decide),
            [
                Waiting(tasks[pk], done_at[pk], note=_disputes(disputed[pk], wholes.get(pk, [])))
                for pk in to_decide[:SHOWN]
            ],
            reverse("adjudicate", args=[dataset.pk]),
        ),
        Stuck(
            "Waiting for a signature",
            "All units are adjudicated. A signature closes the task.",
            len(to_sign),
            [Waiting(tasks[pk], done_at[pk]) for pk in to_sign[:SHOWN]],
            reverse("review", args=[dataset.pk]),
        ),
    ]


def _wholes_to_settle(dataset: Dataset, waiting: TaskQuerySet) -> dict[int, list[OpenWhole]]:
    """By task (primary key), the responses with a correction or a removal to settle before it is closed.

    Corrections that all make alike are settled by the signature, where the dataset asks for one.
    """
    wholes: defaultdict[int, list[OpenWhole]] = defaultdict(list)
    signed = bool(levels_of(dataset))
    for whole in open_wholes(waiting):
        if whole.response.task_id is not None and (whole.needs_a_person or not signed):
            wholes[whole.response.task_id].append(whole)
    return wholes


def _disputes(units: int, wholes: list[OpenWhole]) -> str:
    texts = [whole.description for whole in wholes if whole.description]
    return ", ".join([f"{units} in dispute", *texts] if units or not texts else texts)


def _to_sign_anew(dataset: Dataset) -> Stuck:
    """Responses of closed tasks whose signatures fell, as when a challenge was upheld."""
    fallen = Signature.objects.filter(response=OuterRef("pk"), withdrawn_at__isnull=False)
    responses = lacking_signatures(dataset).filter(Exists(fallen), task__closed_at__isnull=False)
    since = responses.annotate(since=Max("signatures__withdrawn_at")).order_by("since", "position")
    return Stuck(
        "Waiting for a new signature",
        "Gold was changed after the task was closed. The response needs a new signature.",
        responses.count(),
        [
            Waiting(each.task, each.since, note=each.index)
            for each in since.select_related("task")[:SHOWN]
            if each.task is not None
        ],
        reverse("review", args=[dataset.pk]),
    )


def _settled_whole(dataset: Dataset, waiting: TaskQuerySet) -> set[int]:
    """Those of the tasks without an address that waits for gold (cases_of); their keys."""
    gold = GoldLabel.objects.current()
    if dataset.scheme != Scheme.FACTSCORE:
        segments = Segment.objects.filter(visible("response__"), response__task=OuterRef("pk"))
        bare = segments.exclude(Exists(gold.filter(segment=OuterRef("pk"))))
        return set(waiting.exclude(Exists(bare)).values_list("pk", flat=True))
    # A task without any gold is all to be settled; only where some is there one must look whether that is all of it.
    begun = waiting.filter(Exists(gold.filter(segment__response__task=OuterRef("pk"))))
    return set(begun.values_list("pk", flat=True)) - {case.task for case in cases_of(dataset, begun)}


def _challenged(dataset: Dataset) -> Stuck:
    """The author of a challenge is named to adjudicators only."""
    unanswered = challenges_of(dataset).filter(state=Challenge.State.OPEN)
    oldest = unanswered.select_related("assignment__task", "assignment__annotator").order_by("created_at")
    return Stuck(
        "Challenges without an answer",
        "An annotator challenges gold.",
        unanswered.count(),
        [
            Waiting(each.assignment.task, each.created_at, each.assignment.annotator.get_username(), each.text)
            for each in oldest.defer("assignment__draft")[:SHOWN]
        ],
        reverse("challenges", args=[dataset.pk]),
    )


def _to_look_at(dataset: Dataset) -> Stuck:
    """Units of second looks that want more lookers, and among them those that nobody is left to look at."""
    lacking = SecondLookItem.objects.of(dataset).visible().lacking()
    oldest = lacking.annotate(can_go_on=Exists(_lookers(dataset))).order_by("sample__created_at", "pk")
    return Stuck(
        "Waiting for a second look",
        "These units need more second looks. Annotators of the same task cannot do them: add annotators if "
        "nobody is left.",
        lacking.count(),
        [
            Waiting(
                each.segment.response.task,
                each.sample.created_at,
                note=each.text if vars(each)["can_go_on"] else f"no annotator left: {each.text}",
            )
            for each in oldest.select_related("sample", "segment__response__task", "fact")[:SHOWN]
        ],
        reverse("second-look-cases", args=[dataset.pk]),
    )


def _lookers(dataset: Dataset) -> QuerySet[Membership]:
    """The dataset's annotators who may look at the item of the outer query (SecondLookItemQuerySet.unjudged_by)."""
    own = Assignment.objects.filter(task=OuterRef(OuterRef("segment__response__task")), annotator=OuterRef("user"))
    looks = SecondLookRating.objects.filter(item=OuterRef(OuterRef("pk")), rater=OuterRef("user"))
    return Membership.objects.filter(~Exists(own), ~Exists(looks), dataset=dataset, role=Role.ANNOTATOR)


def _why_ended(place: Assignment) -> str:
    """ "" for a place that is held, and for one that expired."""
    if place.state != State.LAPSED:
        return ""
    if place.left_at is not None:
        return "its annotator left the dataset"
    return "" if place.lease_until else "unassigned by an adjudicator"


def _of_places(places: AssignmentQuerySet, since: str) -> list[Waiting]:
    """Those of annotators; one that is in work can be given back."""
    listed: Iterable[Assignment] = places.select_related("task", "annotator").defer(*Assignment.LARGE)[:SHOWN]
    return [
        Waiting(
            each.task,
            getattr(each, since),
            each.annotator.get_username(),
            note=_why_ended(each),
            place=each.pk if each.state == State.OPEN else None,
        )
        for each in listed
    ]
