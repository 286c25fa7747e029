"""The hidden controls of an annotator: those left for them, and how many are still to come."""

from django.db.models import Exists, OuterRef
from django.utils.crypto import salted_hmac

from annotate.models import Assignment, Dataset, Task, User, ViewReceipt
from annotate.models.work import TaskQuerySet
from annotate.qualification.turns import controls_among, is_control_turn

Kind = Task.Kind
State = Assignment.State
SALT = "annotate.qualification.controls"


def seed_of(dataset: Dataset, annotator: User) -> str:
    """The annotator's own, so that controls come to each at other turns; who lacks the site's secret cannot draw them
    in advance."""
    return salted_hmac(SALT, f"{dataset.pk}/{annotator.pk}", algorithm="sha256").hexdigest()


def controls_for(dataset: Dataset, annotator: User) -> TaskQuerySet:
    """The controls that they never had, and whose labels they have not seen."""
    seen = ViewReceipt.objects.filter(task=OuterRef("pk"), who=annotator, what=ViewReceipt.What.LABELS)
    return Task.objects.filter(~Exists(seen), dataset=dataset, kind=Kind.CONTROL).never_had_by(annotator)


def is_time_for_control(dataset: Dataset, annotator: User) -> bool:
    return bool(dataset.control_share) and is_control_turn(
        _turn(dataset, annotator), dataset.control_share, seed_of(dataset, annotator)
    )


def waiting_for(dataset: Dataset, annotator: User) -> int:
    """How many pieces of work they have before them: what is reserved, and the controls that will come among it.

    So the figures on their pages are the same after a control as after any other piece of work.
    """
    own = Assignment.objects.of(dataset).filter(annotator=annotator, state=State.RESERVED)
    reserved = own.filter(task__closed_at__isnull=True).count()
    if not reserved or not dataset.control_share:
        return reserved
    left = controls_for(dataset, annotator).count()
    seed = seed_of(dataset, annotator)
    return reserved + controls_among(reserved, _turn(dataset, annotator), left, dataset.control_share, seed)


def _turn(dataset: Dataset, annotator: User) -> int:
    """The number of the piece of work that comes next, from 0."""
    begun = Assignment.objects.of(dataset).filter(annotator=annotator, opened_at__isnull=False)
    return begun.exclude(task__kind=Kind.QUALIFICATION).count()
