"""The conversation of all annotators of a task and the adjudicators.

It is open while all annotators have submitted, so that no label changes by it. Of a task that has known answers now, it
is that of its annotators of before.
"""

from django.conf import settings
from django.db import models
from django.db.models import Count, Exists, OuterRef, Q, Subquery

from annotate.models.people import User
from annotate.models.work import Assignment, Task, TaskQuerySet

State = Assignment.State


def with_open_conversation() -> TaskQuerySet:
    """Tasks that two annotators or more have submitted, and nobody has yet to submit or to answer in the rebuttal."""
    of_task = Assignment.objects.filter(task=OuterRef("pk"))
    submitted = of_task.real().filter(state=State.SUBMITTED).order_by().values("task").annotate(number=Count("pk"))
    tasks = Task.objects.labelled().annotate(annotators=Subquery(submitted.values("number"))).filter(annotators__gte=2)
    at_work = of_task.filter(state__in=[State.RESERVED, State.OPEN])
    return tasks.exclude(Exists(at_work), kind=Task.Kind.WORK)


def is_open(task: int) -> bool:
    """task: its primary key."""
    return with_open_conversation().filter(pk=task).exists()


def is_open_to(assignment: Assignment) -> bool:
    """Whether its annotator takes part in the conversation, and it is open."""
    takes_part = Assignment.objects.real().filter(pk=assignment.pk, state=State.SUBMITTED)
    return takes_part.exists() and is_open(assignment.task_id)


class SharedMessageQuerySet(models.QuerySet["SharedMessage"]):
    def unread_by_annotator(self, person: User) -> "SharedMessageQuerySet":
        """What others wrote since they last opened it, in conversations that are open to them."""
        own = Assignment.objects.real().filter(task=OuterRef("task"), annotator=person, state=State.SUBMITTED)
        read = SharedReading.objects.filter(task=OuterRef("task"), person=person, read_at__gte=OuterRef("created_at"))
        others = self.filter(Exists(own)).exclude(author=person).exclude(Exists(read))
        return others.filter(Exists(with_open_conversation().filter(pk=OuterRef("task"))))

    def unread_by_adjudicators(self) -> "SharedMessageQuerySet":
        """What annotators wrote and no adjudicator has read."""
        of_task = Assignment.objects.filter(task=OuterRef("task"))
        read = SharedReading.objects.filter(task=OuterRef("task"), read_at__gte=OuterRef("created_at")).exclude(
            Exists(of_task.filter(annotator=OuterRef("person")))
        )
        by_annotators = self.filter(Exists(of_task.filter(annotator=OuterRef("author"))))
        unread = by_annotators.exclude(Exists(read))
        return unread.filter(Exists(with_open_conversation().filter(pk=OuterRef("task"))))


class SharedMessage(models.Model):
    """One message to everybody: annotators have letters to each other, and adjudicators no names."""

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="shared_messages")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.RESTRICT, related_name="shared_messages")
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    objects = SharedMessageQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="shared_message_not_empty")]

    def __str__(self) -> str:
        return self.text[:80]


class SharedReading(models.Model):
    """When a person last opened the conversation: later messages are new to them."""

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="shared_readings")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="shared_readings")
    read_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["task", "person"], name="shared_reading_once")]

    def __str__(self) -> str:
        return f"{self.person}: {self.task}"
