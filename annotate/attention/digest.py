"""The daily e-mail with what needs somebody's attention, for those who want it."""

import logging
from datetime import date

from django.utils import timezone

from annotate.attention.read import items_of
from annotate.models import User
from annotate.people.resets import confirmed_email
from core.emails import send_email

logger = logging.getLogger("touchstone.digest")


def send_digests(today: date | None = None) -> int:
    """Send each person who wants it the items of their list, once a day; return to how many. No empty list is sent."""
    today = today or timezone.localdate()
    wanting = User.objects.filter(digest=True, is_active=True).exclude(digest_on=today).order_by("pk")
    return sum(_send(person, today) for person in wanting)


def _send(person: User, today: date) -> bool:
    address, items = confirmed_email(person), items_of(person)
    if address is None or not items:
        return False
    # The day is noted before: of two commands at once one sends. It is taken back where the mail server refuses.
    if not User.objects.filter(pk=person.pk).exclude(digest_on=today).update(digest_on=today):
        return False
    number = f"{len(items)} item{'' if len(items) == 1 else 's'}"
    try:
        send_email(address, f"Touchstone: {number} for your attention", "email/digest.txt", {"items": items})
    except OSError as error:
        logger.warning("The daily e-mail to account %s was not sent: %s", person.pk, error)
        User.objects.filter(pk=person.pk).update(digest_on=person.digest_on)
        return False
    return True
