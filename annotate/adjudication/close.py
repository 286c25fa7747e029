"""A task is closed once every address of it has gold and whoever must stand for that has signed; from then on its
annotators may see the outcome."""

from django.utils import timezone

from annotate.adjudication.addresses import cases_of
from annotate.adjudication.signatures import lacking_signatures
from annotate.models import Dataset, Task
from annotate.models.work import TaskQuerySet


def close_settled(dataset: Dataset, tasks: TaskQuerySet) -> int:
    """Close those of the tasks that are labelled, have no address left to settle and every signature that the data set
    asks for; return how many. Tasks with known answers stay open: their annotators learn nothing from others.

    A closed task stays closed, whatever is decided in it later.
    """
    done = tasks.real().labelled().unsettled().exclude(pk__in=lacking_signatures(dataset).values("task"))
    waiting = {case.task for case in cases_of(dataset, done)}
    settled = [pk for pk in done.values_list("pk", flat=True) if pk not in waiting]
    return Task.objects.filter(pk__in=settled).update(closed_at=timezone.now())
