"""Items for annotators: about their own work only."""

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.urls import reverse

from annotate.attention.items import Datasets, Item, asking_to_qualify, by_dataset, counts, finds_items
from annotate.labels.returned import RETURNS
from annotate.models import (
    Assignment,
    AssignmentEvent,
    Challenge,
    Guideline,
    Membership,
    Message,
    Response,
    Role,
    SampleItem,
    SecondLookItem,
    SharedMessage,
    Task,
    User,
    ViewReceipt,
)
from annotate.qualification.status import Progress, progress_of_members
from annotate.samples.views import for_annotators
from annotate.second_look.look import open_looks

State = Assignment.State


@finds_items(Role.ANNOTATOR)
def rebuttals(person: User, datasets: Datasets) -> Iterator[Item]:
    """Their tasks that wait for a rebuttal; the address is that of the first."""
    waiting = Assignment.objects.awaited_in_rebuttal().filter(annotator=person, task__dataset__in=datasets)
    in_order = waiting.order_by("task__dataset", "task__rebuttal_at", "task__position")
    rows = in_order.values_list("task__dataset", "key", "task__rebuttal_at")
    for dataset, group in groupby(rows, key=itemgetter(0)):
        (_, key, first), *others = group
        last = others[-1][2] if others else first
        waits = f"{1 + len(others):,} tasks wait" if others else "1 task waits"
        address = reverse("rebuttal", args=[key])
        yield Item("rebuttals", datasets[dataset], f"{last}", f"{waits} for your rebuttal.", address, first)


@counts(
    "sent-back",
    Role.ANNOTATOR,
    one="task was sent back to you with a note.",
    many="tasks were sent back to you with a note.",
    page="work",
    query="?state=open",
)
def sent_back(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    """Their submitted tasks that an adjudicator sent back."""
    returns = AssignmentEvent.objects.filter(task=OuterRef("task"), annotator=person, what__in=RETURNS).order_by("-pk")
    own = Assignment.objects.filter(annotator=person, task__dataset__in=datasets, task__closed_at__isnull=True)
    waiting = own.filter(state=State.OPEN, submitted_at__isnull=False)
    last = waiting.annotate(how=Subquery(returns.values("what")[:1]), at=Subquery(returns.values("created_at")[:1]))
    return by_dataset(last.filter(how=AssignmentEvent.What.SENT_BACK), "task__dataset", "at")


@counts(
    "messages",
    Role.ANNOTATOR,
    one="new message from an adjudicator.",
    many="new messages from adjudicators.",
    page="work",
    query="?state=messages",
)
def messages(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    """Messages of adjudicators that they have not read."""
    own = Message.objects.filter(read_at=None, assignment__annotator=person, assignment__task__dataset__in=datasets)
    return by_dataset(own.exclude(author=person), "assignment__task__dataset", "created_at")


@counts(
    "shared-messages",
    Role.ANNOTATOR,
    one="new message in conversations of all annotators of a task.",
    many="new messages in conversations of all annotators of a task.",
    page="work",
    query="?state=messages",
)
def shared_messages(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    """Those that they have not read, of tasks that they have submitted as all others have."""
    unread = SharedMessage.objects.unread_by_annotator(person).filter(task__dataset__in=datasets)
    return by_dataset(unread, "task__dataset", "created_at")


@finds_items(Role.ANNOTATOR)
def guidelines(person: User, datasets: Datasets) -> Iterator[Item]:
    """Guidelines that changed since they last opened or submitted a task."""
    own = Assignment.objects.filter(annotator=person, task__dataset=OuterRef("dataset")).order_by()
    begun = own.filter(opened_at__gte=OuterRef("created_at"))
    submitted = own.filter(submitted_at__gte=OuterRef("created_at"))
    newer = Guideline.objects.filter(dataset=OuterRef("dataset"), version__gt=OuterRef("version"))
    changed = Guideline.objects.filter(
        ~Exists(newer), ~Exists(begun), ~Exists(submitted), Exists(own), dataset__in=datasets, version__gt=1
    )
    for guideline in changed.defer("text"):
        yield Item(
            "guidelines",
            datasets[guideline.dataset_id],
            str(guideline.version),
            f"The guidelines changed: version {guideline.version}.",
            reverse("dataset", args=[guideline.dataset_id]) + "#guidelines",
            guideline.created_at,
        )


@finds_items(Role.ANNOTATOR)
def qualification(person: User, datasets: Datasets) -> Iterator[Item]:
    """A qualification that is open, that they did not pass, or after which they have not begun real work."""
    asking = asking_to_qualify(datasets)
    own = Membership.objects.filter(user=person, dataset__in=asking).select_related("user", "dataset")
    for progress in progress_of_members(own) if asking else ():
        dataset = datasets[progress.member.dataset_id]
        yield Item(
            "qualification",
            dataset,
            f"{progress.submitted} of {progress.tasks}",
            _where(progress),
            reverse("qualification", args=[dataset.pk]),
            progress.last_at,
        )


def _where(progress: Progress) -> str:
    if progress.finished and progress.reached:
        return "You passed the qualification: see the answers, and begin real work."
    if progress.finished:
        return "You did not pass the qualification: see the answers and the next step."
    return f"Qualification: {progress.submitted} of {progress.tasks} tasks submitted. Real work comes later."


@counts(
    "outcomes",
    Role.ANNOTATOR,
    one="of your tasks has new results.",
    many="of your tasks have new results.",
    page="outcomes",
)
def outcomes(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    """Their tasks that were adjudicated and that they have not looked at since."""
    seen = ViewReceipt.objects.filter(
        task=OuterRef("task"), who=person, what=ViewReceipt.What.OUTCOME, last_at__gte=OuterRef("task__closed_at")
    )
    closed = Assignment.objects.filter(
        annotator=person,
        state=State.SUBMITTED,
        task__kind=Task.Kind.WORK,
        task__closed_at__isnull=False,
        task__dataset__in=datasets,
    )
    # A task is closed too when all its responses are removed.
    kept = closed.filter(Exists(Response.objects.visible().filter(task=OuterRef("task"))))
    return by_dataset(kept.exclude(Exists(seen)), "task__dataset", "task__closed_at")


@counts(
    "answers",
    Role.ANNOTATOR,
    one="of your challenges was answered.",
    many="of your challenges were answered.",
    page="outcomes",
    query="?show=challenged",
)
def answered_challenges(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    """Those whose answer they have not looked at."""
    seen = ViewReceipt.objects.filter(
        task=OuterRef("assignment__task"),
        who=person,
        what=ViewReceipt.What.OUTCOME,
        last_at__gte=OuterRef("answered_at"),
    )
    answered = Challenge.objects.filter(
        assignment__annotator=person, assignment__task__dataset__in=datasets, answered_at__isnull=False
    )
    return by_dataset(answered.exclude(Exists(seen)), "assignment__task__dataset", "answered_at")


@counts(
    "second-looks",
    Role.ANNOTATOR,
    one="unit waits for a second look.",
    many="units wait for a second look.",
    page="second-looks",
)
def second_looks(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    waiting = open_looks(person).filter(sample__dataset__in=datasets)
    return by_dataset(
        SecondLookItem.objects.filter(pk__in=waiting.values("pk")), "sample__dataset", "sample__created_at"
    )


@counts("samples", Role.ANNOTATOR, one="sampled item to rate.", many="sampled items to rate.", page="samples")
def sampled_items(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    waiting = for_annotators(SampleItem.objects.filter(sample__dataset__in=datasets)).left_for(person)
    return by_dataset(SampleItem.objects.filter(pk__in=waiting.values("pk")), "sample__dataset", "sample__created_at")
