"""Settling: an adjudicator writes the outcome of an item on which its raters differ, with a reason."""

from typing import Any

from django.contrib.auth.models import AbstractUser

from ratings.errors import SettleError
from ratings.models import NOTE_LIMIT, RatingItem


def check_reason(why: str) -> str:
    """The reason without spaces at its ends. Raises SettleError where it is missing or too long."""
    why = why.strip()
    if not why:
        raise SettleError("Say why; the reason stays with the settlement.")
    if len(why) > NOTE_LIMIT or "\x00" in why:
        raise SettleError(f"The reason has at most {NOTE_LIMIT:,} characters, and no null character.")
    return why


def settle(item: RatingItem, settled_by: AbstractUser, why: str, **outcome: Any) -> Any:
    """Write the item's settlement, or replace it. outcome: the fields that the kind adds."""
    item_class: Any = type(item)
    settlements = item_class._meta.get_field("settlement").related_model
    settlement, _ = settlements._default_manager.update_or_create(
        item=item, defaults={**outcome, "settled_by": settled_by, "why": why}
    )
    return settlement
