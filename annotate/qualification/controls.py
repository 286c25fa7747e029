"""The hidden controls of an annotator: those left for them, and how many are still to come."""

from django.db.models import Exists, OuterRef
from django.utils.crypto import salted_hmac

from annotate.models import Assignment, Dataset, Task, User, ViewReceipt
from annotate.models.work import TaskQuerySet
from annotate.qualification.turns import controls_among, draw, is_control_turn

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
    return Task.objects.kept().filter(~Exists(seen), dataset=dataset, kind=Kind.CONTROL).never_had_by(annotator)


def nearest_controls(dataset: Dataset, annotator: User) -> list[int]:
    """Primary keys of the controls left for them. Work comes in the order of the corpus, and so do controls: the one
    nearest to their last work first, so that its content is no jump. Equally near ones are drawn."""
    begun = Assignment.objects.filter(annotator=annotator, opened_at__isnull=False, task__dataset=dataset)
    work = begun.filter(task__kind=Kind.WORK).order_by("-opened_at", "-pk")
    here = work.values_list("task__position", flat=True).first() or 0
    seed = seed_of(dataset, annotator)
    left = controls_for(dataset, annotator).values_list("pk", "position")
    return [pk for pk, _ in sorted(left, key=lambda task: (abs(task[1] - here), draw(f"{seed}/{task[0]}")))]


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
