"""Reserve places on a dataset's tasks: balanced between annotators, repeatable by seed."""

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db import transaction

from annotate.models import Assignment, AssignmentEvent, Dataset, Response, Task, User, ViewReceipt
from annotate.models.work import LIVE_STATES
from annotate.tasks.annotators import make_annotators
from annotate.tasks.create import create_tasks
from annotate.tasks.limits import Quotas, domains_of_tasks, quotas_of

# Annotators of one task, as automatic assignment gives them.
MOST = 5


class AssignError(ValueError):
    """The request cannot be done; the message says why. Nothing was changed."""


@dataclass(frozen=True)
class AssignResult:
    """Afterwards: the tasks of work (of the chosen prompts), and the occupied places of all the dataset's."""

    tasks: int
    assignments: int
    seed: int


@transaction.atomic
def assign(
    dataset: Dataset,
    annotators: Sequence[str],
    overlap: float,
    seed: int,
    prompts: Collection[int] | None = None,
    who: User | None = None,
    per_task: int | None = None,
) -> AssignResult:
    """Create missing tasks and reserve every free place of the open ones for these annotators (user names).

    `overlap` is the share of tasks that want `per_task` annotators (2 to MOST; None: as the dataset has it), and not
    one: round(overlap * tasks) of them, drawn by the seed. A task
    never comes to want fewer than before, so places handed out stay; the same call again changes nothing. `prompts`
    (primary keys) limits it to the responses to these, and leaves the dataset's overlap as it is. `who` is recorded;
    None: a command. Fewer annotators than `per_task` are enough where no further task comes to need so many. Raises
    AssignError or AnnotatorError.
    """
    if not 0 <= overlap <= 1:
        raise AssignError(f"overlap is a share between 0 and 1, not {overlap}")
    per_task = dataset.per_task if per_task is None else per_task
    if not 2 <= per_task <= MOST:
        raise AssignError(f"tasks of the overlap need 2 to {MOST} annotators, not {per_task}")
    people = make_annotators(dataset, annotators)
    if not people:
        raise AssignError("choose at least one annotator")
    create_tasks(dataset, prompts)
    chosen = Task.objects.select_for_update().filter(dataset=dataset).real()
    if prompts is None:
        dataset.overlap, dataset.per_task = overlap, per_task
        dataset.save(update_fields=["overlap", "per_task"])
    else:
        chosen = chosen.filter(pk__in=Response.objects.filter(prompt__in=prompts).values("task"))
    tasks = list(chosen)
    if not tasks and prompts is None:
        raise AssignError(f"{dataset.name} has no response to label")
    draw = random.Random(seed)  # noqa: S311 - repeatable on purpose, no secret
    draw.shuffle(tasks)
    target = round(overlap * len(tasks))
    if len(people) < per_task and target > sum(task.wants >= per_task for task in tasks):
        raise AssignError(f"tasks that need {per_task} annotators need at least so many: add some, or set overlap to 0")
    _want_more(tasks, target, per_task)
    _reserve(tasks, sorted(people, key=lambda person: person.username), draw, who)
    held = Assignment.objects.of(dataset).filter(task__kind=Task.Kind.WORK).live().count()
    return AssignResult(tasks=len(tasks), assignments=held, seed=seed)


def _want_more(tasks: Sequence[Task], target: int, per_task: int) -> None:
    """Let `target` tasks want so many: those that do already, then the first that nobody has begun, then any still
    open."""
    begun = set(Assignment.objects.filter(task__in=tasks).values_list("task_id", flat=True))
    missing = target - sum(task.wants >= per_task for task in tasks)
    fewer = [task for task in tasks if task.wants < per_task and task.closed_at is None]
    # Those of an earlier overlap come first: they are drawn already.
    chosen = sorted(fewer, key=lambda task: (task.wants == 1, task.pk in begun))[: max(missing, 0)]
    for task in chosen:
        task.wants = per_task
    Task.objects.bulk_update(chosen, ["wants"], batch_size=500)


def _reserve(tasks: Sequence[Task], people: Sequence[User], draw: random.Random, who: User | None) -> None:
    """Give each free place to the least loaded annotator who never had the task, nor saw others' labels of it in
    another role, nor has filled a quota; ties fall by lot."""
    load: Counter[int] = Counter()
    had: defaultdict[int, set[int]] = defaultdict(set)
    taken: defaultdict[int, set[int]] = defaultdict(set)
    seen = ViewReceipt.objects.filter(task__in=tasks, who__in=people, what=ViewReceipt.What.LABELS)
    for task_id, person in seen.values_list("task", "who"):
        had[task_id].add(person)
    for task_id, annotator, place, state in Assignment.objects.filter(task__in=tasks).values_list(
        "task", "annotator", "place", "state"
    ):
        had[task_id].add(annotator)
        if state in LIVE_STATES:
            taken[task_id].add(place)
            load[annotator] += 1

    quotas = quotas_of(tasks[0].dataset, people) if tasks else Quotas({}, {})
    domains = domains_of_tasks(tasks) if quotas.quotas else {}
    reserved = []
    for task in tasks:
        if task.closed_at is not None:
            continue
        for place in range(task.wants):
            of_task = domains.get(task.pk, set())
            free_people = [
                person for person in people if person.pk not in had[task.pk] and not quotas.is_full(person.pk, of_task)
            ]
            if place in taken[task.pk] or not free_people:
                continue
            chosen = min(free_people, key=lambda person: (load[person.pk], draw.random()))
            had[task.pk].add(chosen.pk)
            load[chosen.pk] += 1
            quotas.take(chosen.pk, of_task)
            reserved.append(Assignment(task=task, annotator=chosen, place=place))
    Assignment.objects.bulk_create(reserved, batch_size=500)
    assigned = AssignmentEvent.What.ASSIGNED
    AssignmentEvent.objects.bulk_create(
        (AssignmentEvent(task=row.task, annotator=row.annotator, what=assigned, who=who) for row in reserved),
        batch_size=500,
    )
