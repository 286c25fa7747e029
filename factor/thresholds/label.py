"""Labelling one by one: which candidate comes next, and how a label is written down."""

import random
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from annotate.models import User
from annotate.one_by_one import FullError, WordError
from factor.models import ThresholdItem, ThresholdSample


@dataclass(frozen=True)
class Said:
    """What a person says of a candidate. sound: fluent, and consistent with itself. None: not said."""

    contradictory: bool | None = None
    sound: bool | None = None


def next_item(sample: ThresholdSample, person: User) -> ThresholdItem | None:
    """The next that nobody has labelled; None where all are. Each person begins at a place of their own, so that two
    who label at the same time seldom meet."""
    lacking = sample.items.lacking().values_list("position", "pk")
    first = random.Random(f"{sample.pk}/{person.pk}").randrange(sample.size)  # noqa: S311 - repeatable, no secret
    found = min(lacking, key=lambda each: (each[0] - first) % sample.size, default=None)
    return None if found is None else ThresholdItem.objects.shown().get(pk=found[1])


def last_labelled(sample: ThresholdSample, person: User) -> ThresholdItem | None:
    """The one that the person labelled last, to be changed; None where there is none or the sample is complete."""
    if is_complete(sample):
        return None
    own = ThresholdItem.objects.filter(sample=sample, labelled_by=person)
    return own.shown().order_by("-labelled_at", "-pk").first()


@transaction.atomic
def label(item: ThresholdItem, person: User, said: Said) -> None:
    """Write the label down, or change one's own while the sample is not complete. Raises WordError."""
    if said.contradictory is None or said.sound is None:
        raise WordError("Answer both questions.")
    sample = ThresholdSample.objects.select_for_update().get(pk=item.sample_id)
    held = ThresholdItem.objects.get(pk=item.pk)
    if held.labelled_at is not None and held.labelled_by_id != person.pk:
        raise FullError("Somebody else has labelled that one meanwhile; here is the next.")
    if held.labelled_at is not None and is_complete(sample):
        raise WordError("All labels are in, and the results have been shown: yours stays as it is.")
    held.contradictory, held.sound = said.contradictory, said.sound
    held.labelled_by, held.labelled_at = person, timezone.now()
    held.save(update_fields=["contradictory", "sound", "labelled_by", "labelled_at"])


def is_complete(sample: ThresholdSample) -> bool:
    return not ThresholdItem.objects.filter(sample=sample).lacking().exists()
