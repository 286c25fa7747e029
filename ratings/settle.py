"""Settling: an adjudicator writes the outcome of an item on which its raters differ, with a reason."""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any, TypeVar

from django.contrib.auth.models import AbstractUser

from ratings.errors import SettleError
from ratings.models import NOTE_LIMIT, RatingItem

Answer = TypeVar("Answer", bound=Hashable)


def majority(answers: Sequence[Answer]) -> Answer | None:
    """The answer of more than half of the raters; None where no answer has so many."""
    if not answers:
        return None
    answer, count = Counter(answers).most_common(1)[0]
    return answer if 2 * count > len(answers) else None


def check_reason(why: str) -> str:
    """The reason without spaces at its ends. Raises SettleError where it is missing or too long."""
    why = why.strip()
    if not why:
        raise SettleError("Say why: the reason stays with the settlement.")
    if len(why) > NOTE_LIMIT or "\x00" in why:
        raise SettleError(f"The reason has at most {NOTE_LIMIT:,} characters, and no null character.")
    return why


def settle(item: RatingItem, settled_by: AbstractUser, why: str, **outcome: Any) -> Any:
    """Write the item's settlement, or replace it. outcome: the fields that the kind adds."""
    settlements: Any = type(item)._meta.get_field("settlement").related_model
    settlement, _ = settlements._default_manager.update_or_create(
        item=item, defaults={**outcome, "settled_by": settled_by, "why": why}
    )
    return settlement
