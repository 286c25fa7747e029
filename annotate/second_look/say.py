"""Looking: what somebody gets next, and how their word is written down."""

import random

from django.db import transaction

from annotate.judgements.judgement import Judgement, JudgementError, check_judgement
from annotate.models import Dataset, Look, LookItem, SecondLook, User
from annotate.models.second_look import LookItemQuerySet
from annotate.one_by_one import FullError, WordError


def open_items(dataset: Dataset, person: User) -> LookItemQuerySet:
    """What the person may look at and nobody else has to."""
    return LookItem.objects.of(dataset).lacking().for_looker(person)


def next_item(dataset: Dataset, person: User) -> LookItem | None:
    """The next one in an order of the person's own, so that two do not meet at the same unit; None: none is left."""
    keys = sorted(open_items(dataset, person).values_list("pk", flat=True))
    if not keys:
        return None
    return shown_items().get(pk=min(keys, key=lambda key: random.Random(f"{person.pk} {key}").random()))  # noqa: S311


def shown_items() -> LookItemQuerySet:
    """With what a looker sees of them."""
    return LookItem.objects.select_related("second_look__dataset", "segment__response__prompt", "fact")


def last_look(dataset: Dataset, person: User) -> Look | None:
    """What the person said last, to be changed; None where there is nothing, or it is settled."""
    own = Look.objects.filter(item__second_look__dataset=dataset, who=person).select_related("item")
    last = own.order_by("-pk").first()
    return last if last is not None and last.item.settled_at is None else None


@transaction.atomic
def say(item: LookItem, person: User, judgement: Judgement) -> Look:
    """Write down the person's word, or change it while nobody has settled the unit. Raises WordError."""
    dataset = item.second_look.dataset
    try:
        said = check_judgement(judgement, dataset, whole_sentence=False)
    except JudgementError as error:
        raise WordError(f"Not saved: {error}.") from error
    if not said.value:
        raise WordError("Choose a value.")
    # One row for all that is sent together: of two who say the last word at once the second comes late.
    SecondLook.objects.select_for_update().get(pk=item.second_look_id)
    item = LookItem.objects.get(pk=item.pk)
    look = Look.objects.filter(item=item, who=person).first()
    if look is not None and item.settled_at is not None:
        raise WordError("It is settled: what you said stays as it is.")
    if look is None and item.looks.count() >= item.second_look.wants:
        raise FullError("Others have looked at that one meanwhile; here is the next.")
    look = look or Look(item=item, who=person)
    look.value, look.error_type, look.irrelevance = said.value, said.error_type, said.irrelevance
    look.reason, look.links = said.reason, [reference.url for reference in said.references]
    look.save()
    return look
