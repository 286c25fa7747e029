"""Tagging: two people take a place each, tag every mistake, and hand in; then their differences are settled.

Until both have handed in, neither sees the other's tags.
"""

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotate.models import User
from evaluators.models import ErrorAnalysis, ErrorCause, Mistake, MistakeTag, Tagger
from ratings import settle as settlements
from ratings.errors import FullError, RatingError, SettleError
from ratings.rate import rate

PLACES_TAKEN = "Two people are tagging this sample already."


def tagger_of(analysis: ErrorAnalysis, person: User) -> Tagger | None:
    return analysis.taggers.filter(who=person).first()


def take_place(analysis: ErrorAnalysis, person: User) -> Tagger:
    """The person's place: their own, else a free one. Raises FullError where two others have both."""
    own = tagger_of(analysis, person)
    if own is not None:
        return own
    taken = set(analysis.taggers.values_list("place", flat=True))
    for place in set(range(Tagger.PLACES)) - taken:
        try:
            with transaction.atomic():
                return Tagger.objects.create(analysis=analysis, who=person, place=place)
        except IntegrityError:
            continue
    raise FullError(PLACES_TAKEN)


@transaction.atomic
def tag(tagger: Tagger, mistake: Mistake, cause: ErrorCause, note: str = "") -> MistakeTag:
    """Tag the mistake, or change the tag before handing in. Raises RatingError."""
    _lock_open(tagger)
    return rate(mistake, tagger.who, MistakeTag(cause=cause, note=note.strip()))


@transaction.atomic
def undo(tagger: Tagger) -> Mistake | None:
    """Remove the last tag; its mistake, None where there is no tag. Raises RatingError."""
    _lock_open(tagger)
    last = tagger.tags.select_related("item").order_by("-changed_at", "-pk").first()
    if last is None:
        return None
    last.delete()
    mistake: Mistake = last.item
    return mistake


@transaction.atomic
def hand_in(tagger: Tagger) -> None:
    """Fix the tags: they do not change any more. Raises RatingError while a mistake has none."""
    _lock_open(tagger)
    left = tagger.analysis.size - tagger.tags.count()
    if left:
        raise RatingError(f"{left:,} mistakes have no tag yet." if left > 1 else "One mistake has no tag yet.")
    Tagger.objects.filter(pk=tagger.pk).update(handed_in_at=timezone.now())


@transaction.atomic
def give_up(tagger: Tagger) -> None:
    """Free the place and delete its tags. Raises RatingError once they are handed in."""
    _lock_open(tagger)
    tagger.tags.delete()
    tagger.delete()


def _lock_open(tagger: Tagger) -> None:
    """Lock the tagger's row until the transaction ends: no tag is written after handing in."""
    locked = Tagger.objects.select_for_update().filter(pk=tagger.pk).first()
    if locked is None:
        raise RatingError("You have left this sample.")
    if locked.handed_in_at is not None:
        raise RatingError("You have submitted: your tags do not change.")


@transaction.atomic
def settle(mistake: Mistake, cause: ErrorCause, why: str, who: User) -> None:
    """Write the cause of a mistake whose two tags differ; a later settlement replaces it. Raises SettleError."""
    if not mistake.sample.is_complete():
        raise SettleError("Both people must submit their tags first.")
    if len({tag.cause_id for tag in mistake.ratings.all()}) < 2:
        raise SettleError("Both tags are the same.")
    settlements.settle(mistake, who, settlements.check_reason(why), cause=cause)
