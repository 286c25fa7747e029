"""Rating one by one: what a rater gets next, and how their word is written down."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from annotate.models import LookItem, Rating, Role, Sample, SampleItem, User
from annotate.models.samples import SampleItemQuerySet
from annotate.one_by_one import FullError, WordError

Kind = Sample.Kind
NOTE_LIMIT = 2_000


@dataclass(frozen=True)
class Word:
    """What a rater says of an item: `reliable` of a reference, `safe` and `valid` of a response; None for the rest."""

    reliable: bool | None = None
    safe: bool | None = None
    valid: bool | None = None
    note: str = ""


def items_for(sample: Sample, role: str) -> SampleItemQuerySet:
    """The items that people of this role may rate.

    An annotator sees only responses that are settled or in no task: a reference may come from gold, and nothing shall
    colour their judgement of what they still label, nor of what waits for a second look.
    """
    items = SampleItem.objects.filter(sample=sample)
    if role != Role.ANNOTATOR:
        return items
    response = "reference__response" if sample.kind == Kind.RELIABILITY else "response"
    open_now = Q(**{f"{response}__task__isnull": False, f"{response}__task__closed_at__isnull": True})
    of_gold = Q(reference__gold__segment__response__task__isnull=False) & Q(
        reference__gold__segment__response__task__closed_at__isnull=True
    )
    looked_at = LookItem.objects.of(sample.dataset).lacking().values("segment")
    return items.exclude(open_now).exclude(of_gold).exclude(reference__gold__segment__in=looked_at)


def next_item(sample: Sample, rater: User, role: str) -> SampleItem | None:
    """The first item that lacks a rating and that the rater has not rated; None where there is none."""
    own = Rating.objects.filter(item=OuterRef("pk"), rater=rater)
    return items_for(sample, role).lacking().filter(~Exists(own)).shown().order_by("position").first()


def last_rated(sample: Sample, rater: User) -> SampleItem | None:
    """The item that the rater rated last, to be changed; None where there is none or the sample is complete."""
    if is_complete(sample):
        return None
    own = Rating.objects.filter(item__sample=sample, rater=rater).order_by("-created_at", "-pk").first()
    return None if own is None else SampleItem.objects.shown().get(pk=own.item_id)


@transaction.atomic
def rate(item: SampleItem, rater: User, word: Word) -> Rating:
    """Write down the rater's word on the item, or change it while the sample is not complete.

    Raises WordError for a word that lacks its answer, for an item that has all its raters, and for a sample that is
    complete: its results have been shown.
    """
    _check(item.sample, word)
    sample = Sample.objects.select_for_update().get(pk=item.sample_id)
    own = Rating.objects.filter(item=item, rater=rater).first()
    if own is None and item.ratings.count() >= sample.raters:
        raise FullError("Others have rated that one meanwhile; here is the next.")
    if own is not None and is_complete(sample):
        raise WordError("All ratings are in, and the results have been shown: yours stays as it is.")
    rating = own or Rating(item=item, rater=rater)
    rating.reliable, rating.safe, rating.valid, rating.note = word.reliable, word.safe, word.valid, word.note
    rating.save()
    return rating


def _check(sample: Sample, word: Word) -> None:
    if len(word.note) > NOTE_LIMIT or "\x00" in word.note:
        raise WordError(f"The note may be {NOTE_LIMIT:,} characters long, without a null character.")
    if sample.kind == Kind.RELIABILITY and word.reliable is None:
        raise WordError("Say whether the reference is reliable.")
    if sample.kind == Kind.SAFETY and (word.safe is None or word.valid is None):
        raise WordError("Say both: whether the response is safe, and whether it is valid.")


def is_complete(sample: Sample) -> bool:
    """Every item has all its ratings."""
    return not SampleItem.objects.filter(sample=sample).lacking().exists()
