"""The minimal fact of a pair: a sentence of its own that the changed completion denies (FACTOR §6.1)."""

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotate.models import User
from factor.models import OpenEndedLabel, OpenEndedPair, OpenEndedStudy
from factor.models.open_ended import OF_PAIR
from ratings.errors import RatingError

LONGEST_FACT = 1_000


def unwritten(study: OpenEndedStudy) -> QuerySet[OpenEndedPair]:
    """The pairs that have neither a fact nor a reason to be left out, in order."""
    return study.pairs.filter(written_at__isnull=True).order_by("position")


def write_fact(pair: OpenEndedPair, by: User, fact: str, excluded: str = "") -> None:
    """Give the pair its fact, or a reason of OF_PAIR to leave it out; change either while none of its texts is
    labelled. Raises RatingError."""
    fact = " ".join(fact.split())
    if excluded and excluded not in OF_PAIR:
        raise RatingError("A pair is left out because the original is not factual, or is not contradicted.")
    if bool(fact) == bool(excluded):
        raise RatingError("Write the fact, or choose a reason to leave the pair out.")
    if len(fact) > LONGEST_FACT or "\x00" in fact:
        raise RatingError(f"The fact may be {LONGEST_FACT:,} characters long, without a null character.")
    with transaction.atomic():
        locked = OpenEndedPair.objects.select_for_update().get(pk=pair.pk)
        if OpenEndedLabel.objects.filter(item__pair=locked).exists():
            raise RatingError("Texts of this pair are already labelled, so the fact cannot change.")
        locked.fact, locked.excluded, locked.written_by, locked.written_at = fact, excluded, by, timezone.now()
        locked.save(update_fields=["fact", "excluded", "written_by", "written_at"])
