"""Items for adjudicators: work that waits for one of them, or that is stuck."""

from collections.abc import Iterator
from typing import Any

from django.db.models import DateTimeField, Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Cast
from django.urls import reverse

from annotate.attention.items import Datasets, Item, asking_to_qualify, by_dataset, counts, finds_items
from annotate.cases.counts import count_changed
from annotate.cases.signatures import signable_by
from annotate.models import (
    Assignment,
    CaseCount,
    Challenge,
    Membership,
    Message,
    ReviewPolicy,
    Role,
    SharedMessage,
    Task,
    UnitMark,
    User,
)
from annotate.models.cases import WITHOUT_CASES
from annotate.models.corpus import visible
from annotate.qualification.status import progress_of_members
from annotate.tasks.create import left_out_of_tasks
from annotate.tasks.limits import expired_limits

State = Assignment.State


@counts(
    "adjudicate",
    Role.ADJUDICATOR,
    one="labelled task waits for adjudication.",
    many="labelled tasks wait for adjudication.",
    page="adjudicate",
)
def disputes(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    """Tasks whose annotators are done and that are not closed, for more than want of a signature."""
    count_changed()
    labelled = CaseCount.objects.filter(dataset__in=datasets, task__kind=Task.Kind.WORK, task__closed_at__isnull=True)
    lacking = Q(dataset__review=ReviewPolicy.BULK) | ~WITHOUT_CASES
    return by_dataset(labelled.filter(lacking), "dataset", "labelled_at")


@counts(
    "sign",
    Role.ADJUDICATOR,
    one="response waits for your signature.",
    many="responses wait for your signature.",
    page="review",
)
def signatures(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    """Those in which nothing lacks gold, and that this person may sign."""
    count_changed()
    signable = signable_by(person).filter(dataset__in=datasets)
    return by_dataset(signable, "dataset", "task__case_count__labelled_at")


@counts(
    "signers",
    Role.ADJUDICATOR,
    one="adjudicator cannot give both signatures: add an adjudicator, or require one signature.",
    many="adjudicators cannot give both signatures.",
    page="dataset-settings",
)
def too_few_signers(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    """The only adjudicators of datasets that ask each response to be signed by two."""
    signers = Membership.objects.filter(
        dataset__in=datasets, dataset__review=ReviewPolicy.SUPER, role=Role.ADJUDICATOR, user__is_active=True
    )
    return by_dataset(signers, "dataset", "dataset__created_at").filter(number=1)


@counts(
    "challenges",
    Role.ADJUDICATOR,
    one="challenge waits for an answer.",
    many="challenges wait for an answer.",
    page="challenges",
)
def challenges(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    kept = Challenge.objects.filter(visible("segment__response__"), assignment__task__dataset__in=datasets)
    waiting = kept.filter(state=Challenge.State.OPEN)
    return by_dataset(waiting, "assignment__task__dataset", "created_at")


@counts(
    "marks",
    Role.ADJUDICATOR,
    one="unit is marked by an annotator.",
    many="units are marked by annotators.",
    page="marks",
)
def marked_units(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    """Marks that say of a unit that it is cut wrongly or claims nothing."""
    kept = UnitMark.objects.filter(visible("segment__response__"), assignment__task__dataset__in=datasets)
    return by_dataset(kept.filter(state=UnitMark.State.OPEN), "assignment__task__dataset", "created_at")


@counts(
    "questions",
    Role.ADJUDICATOR,
    one="new message from an annotator.",
    many="new messages from annotators.",
    page="assign",
    query="?state=messages",
)
def messages(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    """Messages of annotators that no adjudicator has read."""
    unread = Message.objects.filter(read_at=None, author=F("assignment__annotator"))
    return by_dataset(unread.filter(assignment__task__dataset__in=datasets), "assignment__task__dataset", "created_at")


@counts(
    "shared-questions",
    Role.ADJUDICATOR,
    one="new message of an annotator in conversations of all annotators of a task.",
    many="new messages of annotators in conversations of all annotators of a task.",
    page="assign",
    query="?state=messages",
)
def shared_messages(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    """Messages of annotators to all that no adjudicator has read."""
    unread = SharedMessage.objects.unread_by_adjudicators().filter(task__dataset__in=datasets)
    return by_dataset(unread, "task__dataset", "created_at")


@counts(
    "deadlines",
    Role.ADJUDICATOR,
    one="deadline has passed with open tasks.",
    many="deadlines have passed with open tasks.",
    page="work-limits",
)
def expired_deadlines(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    """Deadlines of annotators that passed while tasks are assigned and not submitted."""
    late = expired_limits().filter(dataset__in=datasets)
    return by_dataset(late.annotate(at=Cast("deadline", DateTimeField())), "dataset", "at")


@counts(
    "stuck",
    Role.ADJUDICATOR,
    one="skipped or expired task needs an annotator.",
    many="skipped or expired tasks need an annotator.",
    page="assign",
    query="?state=free",
)
def stuck_assignments(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    tasks = Task.objects.filter(dataset__in=datasets).real().unsettled().with_a_free_place()
    # As a list, from which the database begins: not from all tasks of the datasets.
    given_up = Assignment.objects.filter(state__in=[State.LAPSED, State.SKIPPED])
    waiting = Assignment.objects.filter(Exists(tasks.filter(pk=OuterRef("task"))), pk__in=given_up.values("pk"))
    return by_dataset(waiting, "task__dataset", "opened_at", "task")


@counts(
    "without-task",
    Role.ADJUDICATOR,
    one="response is in no task: assign it to annotators.",
    many="responses are in no task: assign them to annotators.",
    page="assign",
)
def responses_without_task(person: User, datasets: Datasets) -> QuerySet[Any, Any]:
    """What was imported after the tasks were made."""
    return by_dataset(left_out_of_tasks(datasets), "dataset", "imported__finished_at")


@finds_items(Role.ADJUDICATOR)
def failed_qualifications(person: User, datasets: Datasets) -> Iterator[Item]:
    """Annotators who finished below the pass mark; the address is where an adjudicator admits them all the same."""
    asking = asking_to_qualify(datasets)
    members = Membership.objects.filter(dataset__in=asking).select_related("user", "dataset")
    for progress in progress_of_members(members) if asking else ():
        member = progress.member
        if progress.finished and not progress.reached:
            yield Item(
                "failed",
                datasets[member.dataset_id],
                f"{member.pk} {progress.tasks}",
                f"{member.user.get_username()} did not pass the qualification: decide the next step.",
                f"{reverse('quality', args=[member.dataset_id])}#member-{member.pk}",
                progress.last_at,
            )
