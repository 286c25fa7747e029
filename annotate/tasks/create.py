"""Cut a dataset's responses into tasks."""

from collections.abc import Collection, Iterable, Set
from itertools import groupby

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q

from annotate.models import AtomicFact, Dataset, FactSet, GoldLabel, Response, Scheme, Segment, Task
from annotate.models.corpus import ResponseQuerySet


def create_tasks(dataset: Dataset, prompts: Collection[int] | None = None, responses: Set[int] | None = None) -> int:
    """Put every response that needs labels and is in no task yet into one; return how many tasks were made.

    FELM: one response a task. FActScore: the responses of all subjects to one prompt. `prompts` (primary keys) limits
    it to the responses to these, `responses` (primary keys) to tasks that hold one of these.
    """
    with transaction.atomic():
        Dataset.objects.select_for_update().get(pk=dataset.pk)
        waiting = needing_labels(dataset).filter(task__isnull=True).only("prompt_id", "position", "task_id")
        groups = _groups(dataset, [each for each in waiting if prompts is None or each.prompt_id in prompts])
        if responses is not None:
            groups = [group for group in groups if not responses.isdisjoint(each.pk for each in group)]
        last = dataset.tasks.aggregate(last=Max("position"))["last"]
        first = 0 if last is None else last + 1
        tasks = Task.objects.bulk_create(
            [Task(dataset=dataset, position=first + number) for number in range(len(groups))], batch_size=1000
        )
        grouped = []
        for task, group in zip(tasks, groups, strict=True):
            for response in group:
                response.task = task
                grouped.append(response)
        Response.objects.bulk_update(grouped, ["task"], batch_size=500)
    return len(tasks)


def needing_labels(dataset: Dataset) -> ResponseQuerySet:
    """The visible responses that hold anything to judge: segments (FELM) or atomic facts (FActScore)."""
    return with_units(dataset.scheme == Scheme.FACTSCORE).filter(dataset=dataset)


def with_units(of_facts: bool) -> ResponseQuerySet:
    """The same of all datasets whose judged units are facts, or of all others; the dataset is left to the caller."""
    units = (
        AtomicFact.objects.filter(segment__response=OuterRef("pk")).exclude(fact_set__origin=FactSet.Origin.GENERATED)
        if of_facts
        else Segment.objects.filter(response=OuterRef("pk"))
    )
    return Response.objects.visible().filter(Exists(units), abstained=False)


def left_out_of_tasks(datasets: Collection[int]) -> ResponseQuerySet:
    """Responses that need labels and are in no task, of those datasets whose work is cut into tasks: what was imported
    midway. Those with gold need no labels; where prompts are drawn, those that were not drawn wait for a draw."""
    tasks = Task.objects.filter(dataset__in=datasets, kind=Task.Kind.WORK)
    drawn = tasks.filter(probability__isnull=False).values("dataset")
    gold = GoldLabel.objects.filter(segment__response=OuterRef("pk"), superseded__isnull=True)
    facts = Q(Exists(with_units(of_facts=True).filter(pk=OuterRef("pk"))), dataset__scheme=Scheme.FACTSCORE)
    segments = Q(Exists(with_units(of_facts=False).filter(pk=OuterRef("pk")))) & ~Q(dataset__scheme=Scheme.FACTSCORE)
    return Response.objects.filter(
        facts | segments, ~Exists(gold), task__isnull=True, dataset__in=tasks.values("dataset")
    ).exclude(dataset__in=drawn)


def _groups(dataset: Dataset, responses: Iterable[Response]) -> list[list[Response]]:
    """The responses of each task, tasks in the order of their first response."""
    if dataset.scheme != Scheme.FACTSCORE:
        return [[response] for response in sorted(responses, key=lambda each: each.position)]
    by_prompt = sorted(responses, key=lambda each: (each.prompt_id, each.position))
    groups = [list(members) for _, members in groupby(by_prompt, key=lambda each: each.prompt_id)]
    return sorted(groups, key=lambda members: members[0].position)
