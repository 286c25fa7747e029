"""An adjudicator settles what the raters of a completion are divided on."""

from dataclasses import replace

from django.db import transaction

from annotate.models import User
from annotate.one_by_one import WordError
from factor.models import Settlement, ValidationItem
from factor.validation.outcome import Outcome
from factor.validation.read import Judged
from factor.validation.word import QUESTIONS, Word


def disputed(judged: list[Judged]) -> list[Judged]:
    """Those with an answer that is still open."""
    return [each for each in judged if each.outcome.open]


@transaction.atomic
def settle(judged: Judged, adjudicator: User, word: Word) -> Settlement:
    """Write down the adjudicator's word on what is open, or anew on what they settled; what the raters agree on stands.

    Raises WordError where an answer is missing or where the raters are not divided.
    """
    of_raters = judged.of_raters
    if not of_raters.open:
        raise WordError("Its raters are not divided: there is nothing to settle.")
    whole = completed(of_raters, word)
    whole.check()
    item = ValidationItem.objects.get(pk=judged.item)
    settlement, _ = Settlement.objects.update_or_create(
        item=item, defaults={**whole.answers(), "settled_by": adjudicator}
    )
    return settlement


def completed(of_raters: Outcome, word: Word) -> Word:
    """The word, with what the raters agree on in place of what it says of that."""
    agreed = {name: getattr(of_raters, name) for name in QUESTIONS if getattr(of_raters, name) is not None}
    whole = replace(word, **agreed)
    if of_raters.error_type:
        whole = replace(whole, error_type=of_raters.error_type)
    return whole if whole.non_factual else replace(whole, error_type="")
