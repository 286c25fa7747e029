"""Tagging: two people take a place each, tag every mistake, and hand in; until both have, neither sees the other's."""

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotate.models import User
from evaluators.models import ErrorAnalysis, ErrorCause, Mistake, MistakeTag, Tagger
from ratings.errors import RatingError
from ratings.models import check_note


def tagger_of(analysis: ErrorAnalysis, person: User) -> Tagger | None:
    return analysis.taggers.filter(who=person).first()


def both_have_handed_in(analysis: ErrorAnalysis) -> bool:
    return analysis.taggers.filter(handed_in_at__isnull=False).count() == Tagger.PLACES


def take_place(analysis: ErrorAnalysis, person: User) -> Tagger:
    """The person's place, theirs already or a free one. Raises RatingError where two others have them."""
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
    raise RatingError("Two people are tagging this sample already.")


@transaction.atomic
def tag(tagger: Tagger, mistake: Mistake, cause: ErrorCause, note: str = "") -> MistakeTag:
    """Tag the mistake, or change one's tag before handing in. Raises RatingError."""
    check_note(note)
    _lock_open(tagger)
    written, _ = MistakeTag.objects.update_or_create(
        item=mistake, rater=tagger.who, defaults={"cause": cause, "note": note.strip()}
    )
    return written


@transaction.atomic
def undo(tagger: Tagger) -> Mistake | None:
    """Take back the last tag; its mistake, None where there is no tag. Raises RatingError."""
    _lock_open(tagger)
    last = tagger.tags.select_related("item").order_by("-changed_at", "-pk").first()
    if last is None:
        return None
    last.delete()
    mistake: Mistake = last.item
    return mistake


@transaction.atomic
def hand_in(tagger: Tagger) -> None:
    """From here on the tags stay as they are. Raises RatingError while a mistake has none."""
    _lock_open(tagger)
    left = tagger.analysis.size - tagger.tags.count()
    if left:
        raise RatingError(f"{left:,} mistakes have no tag yet." if left > 1 else "One mistake has no tag yet.")
    Tagger.objects.filter(pk=tagger.pk).update(handed_in_at=timezone.now())


@transaction.atomic
def give_up(tagger: Tagger) -> None:
    """Free the place, and drop what was tagged in it. Raises RatingError once it is handed in."""
    _lock_open(tagger)
    tagger.tags.delete()
    tagger.delete()


def _lock_open(tagger: Tagger) -> None:
    """Hold the tagger's row until the transaction ends, so that nothing is written behind a handing in."""
    held = Tagger.objects.select_for_update().filter(pk=tagger.pk).first()
    if held is None:
        raise RatingError("This place was given up: take one anew.")
    if held.handed_in_at is not None:
        raise RatingError("Your tags are handed in: they stay as they are.")
