"""An adjudicator settles what the raters of a completion are divided on."""

from django.db import transaction

from annotate.models import User
from factor.models import CompletionRating, CompletionSettlement
from factor.validation.read import Judged
from ratings.errors import SettleError


def disputed(judged: list[Judged]) -> list[Judged]:
    """Those with an answer that is still open."""
    return [each for each in judged if each.outcome.open]


@transaction.atomic
def settle(judged: Judged, adjudicator: User, rating: CompletionRating) -> CompletionSettlement:
    """Write the adjudicator's answers to what is open, or anew to what they settled; what the raters agree on stands.

    rating: not saved; its note is the reason. Raises RatingError where an answer is missing, SettleError where the
    raters are not divided.
    """
    if not judged.of_raters.open:
        raise SettleError("Its raters are not divided: there is nothing to settle.")
    agreed = {name: answer for name, answer in vars(judged.of_raters).items() if answer not in (None, "")}
    whole = CompletionRating(**{**rating.answers(), **agreed})
    if not whole.non_factual:
        whole.error_type = ""
    whole.check_answers(None)
    answers = {name: getattr(whole, name) for name in whole.ANSWERS}
    settlement, _ = CompletionSettlement.objects.update_or_create(
        item_id=judged.pk, defaults={**answers, "why": whole.note, "settled_by": adjudicator}
    )
    return settlement
