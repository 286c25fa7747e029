"""Where two taggers see different causes, somebody settles which it is."""

from django.db import transaction

from annotate.models import User
from evaluators.errors.tag import both_have_handed_in
from evaluators.models import ErrorCause, Mistake, MistakeSettlement
from ratings.errors import SettleError
from ratings.models import NOTE_LIMIT


@transaction.atomic
def settle(mistake: Mistake, cause: ErrorCause, why: str, who: User) -> None:
    """The cause of a mistake whose two tags differ; settled anew, it replaces the one before. Raises SettleError."""
    if not both_have_handed_in(mistake.sample):
        raise SettleError("Both have to hand in their tags first.")
    if len({tag.cause_id for tag in mistake.ratings.all()}) < 2:
        raise SettleError("Both taggers see the same cause there.")
    why = why.strip()
    if not why:
        raise SettleError("Say why: the reason stays with the cause.")
    if len(why) > NOTE_LIMIT or "\x00" in why:
        raise SettleError(f"The reason has at most {NOTE_LIMIT:,} characters, and no null character.")
    MistakeSettlement.objects.update_or_create(item=mistake, defaults={"cause": cause, "settled_by": who, "why": why})
