"""Where two taggers see different causes, somebody says which it is."""

from django.db import transaction
from django.utils import timezone

from annotate.models import User
from evaluators.errors.tag import NOTE_LIMIT, both_have_handed_in
from evaluators.models import ErrorCause, Mistake


class SettleError(ValueError):
    """It cannot be settled like that; the message says why. Nothing was changed."""


@transaction.atomic
def settle(mistake: Mistake, cause: ErrorCause, why: str, who: User) -> None:
    """The cause of a mistake whose two tags differ; said again, it replaces what was said. Raises SettleError."""
    if not both_have_handed_in(mistake.analysis):
        raise SettleError("Both have to hand in their tags first.")
    if len({tag.cause_id for tag in mistake.tags.all()}) < 2:
        raise SettleError("Both taggers see the same cause there.")
    why = why.strip()
    if not why:
        raise SettleError("Say why: the reason stays with the cause.")
    if len(why) > NOTE_LIMIT or "\x00" in why:
        raise SettleError(f"The reason has at most {NOTE_LIMIT:,} characters, and no null character.")
    Mistake.objects.filter(pk=mistake.pk).update(settled=cause, settled_by=who, settled_at=timezone.now(), why=why)
