"""The sending of messages to webhooks, as a kind of work: each at least once."""

import time
from datetime import timedelta

from django.utils import timezone

from api.models import WebhookDelivery
from api.webhooks.send import DeliveryError, post
from api.webhooks.sign import key_of, sign
from jobs.kinds import Queue, SyncJobKind
from jobs.leases import Lease
from jobs.models import JobItemQuerySet

ATTEMPTS = 6
# Before the second attempt; each further one waits so many times longer: 30 seconds, 2, 8, 32 minutes and 2 hours.
FIRST_PAUSE = timedelta(seconds=30)
LONGER = 4
KEPT = timedelta(days=30)


class WebhookJob(SyncJobKind[WebhookDelivery]):
    """One message an item. The window is small: a server that does not answer holds up few workers."""

    name = "webhook"
    queue = Queue.SHORT
    items = WebhookDelivery
    related = ("webhook",)
    max_attempts = ATTEMPTS
    window = 4

    def available(self, rows: JobItemQuerySet[WebhookDelivery]) -> JobItemQuerySet[WebhookDelivery]:
        """Messages to a webhook that is switched off wait."""
        return super().available(rows).filter(webhook__is_on=True)

    def execute(self, lease: Lease[WebhookDelivery]) -> None:
        delivery = lease.item
        try:
            status = send(delivery)
        except DeliveryError as error:
            lease.note(status=error.status)
            error.delay = FIRST_PAUSE * LONGER ** (delivery.attempts - 1)
            raise
        if lease.finish(status=status):
            old = delivery.webhook.deliveries.filter(settled_at__lt=timezone.now() - KEPT)
            old.delete()


def send(delivery: WebhookDelivery) -> int:
    """The status of the answer. Raises DeliveryError."""
    body, message_id, timestamp = delivery.body.encode(), str(delivery.message_id), int(time.time())
    headers: dict[bytes | str, bytes | str] = {
        "Content-Type": "application/json",
        "User-Agent": "Touchstone",
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": sign(key_of(delivery.webhook), message_id, timestamp, body),
        "webhook-attempt": str(delivery.attempts),
    }
    return post(delivery.webhook.address, body, headers)
