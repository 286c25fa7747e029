"""Webhooks added, changed and removed, and deliveries repeated: the same for pages and API."""

from collections.abc import Sequence

from django.db import transaction
from django.http import HttpRequest

from annotate.models import Dataset, User
from api.models import Event, Webhook, WebhookDelivery
from api.webhooks.record import webhooks_for
from api.webhooks.sign import new_nonce
from audit.models import Action
from audit.record import record
from core.errors import DataError
from jobs.enqueue import enqueue
from jobs.models import JobItem

MOST = 20


@transaction.atomic
def add_webhook(request: HttpRequest, dataset: Dataset, user: User, address: str, events: Sequence[str]) -> Webhook:
    """A new webhook, switched on. The address is checked before. DataError where the dataset has too many."""
    Dataset.objects.select_for_update().get(pk=dataset.pk)
    if dataset.webhooks.count() >= MOST:
        raise DataError(f"A dataset has at most {MOST} webhooks.")
    webhook = Webhook.objects.create(
        dataset=dataset, address=address, events=list(events), nonce=new_nonce(), created_by=user
    )
    _note_events(webhook)
    record(request, Action.WEBHOOK_ADDED, webhook, detail=f"{dataset}: {', '.join(webhook.event_names)}")
    return webhook


@transaction.atomic
def save_webhook(request: HttpRequest, webhook: Webhook) -> None:
    """Store a changed address, events or switch."""
    webhook.save(update_fields=["address", "events", "is_on"])
    _note_events(webhook)
    state = "on" if webhook.is_on else "off"
    record(request, Action.WEBHOOK_CHANGED, webhook, detail=f"{state}: {', '.join(webhook.event_names)}")


@transaction.atomic
def renew_secret(request: HttpRequest, webhook: Webhook) -> None:
    """Another secret; the earlier one signs nothing any more."""
    webhook.nonce = new_nonce()
    webhook.save(update_fields=["nonce"])
    record(request, Action.WEBHOOK_CHANGED, webhook, detail="new secret")


@transaction.atomic
def remove_webhook(request: HttpRequest, webhook: Webhook) -> None:
    """Delete it with its deliveries."""
    record(request, Action.DELETED, webhook, detail=str(webhook.dataset))
    webhook.delete()
    _note_events(webhook)


def repeat(delivery: WebhookDelivery) -> bool:
    """Send a delivery that was sent or has failed once more, under the same id. False where it still waits."""
    settled = WebhookDelivery.objects.filter(pk=delivery.pk).exclude(state__in=JobItem.UNSETTLED)
    if not settled.put(JobItem.State.WAITING, attempts=0, error="", status=None, settled_at=None):
        return False
    transaction.on_commit(lambda: enqueue(delivery))
    return True


def _note_events(webhook: Webhook) -> None:
    """Whether submissions are told now, in a column of the dataset: a submission then asks for no webhooks."""
    Dataset.objects.select_for_update().get(pk=webhook.dataset_id)
    told = bool(webhooks_for(webhook.dataset_id, Event.SUBMITTED))
    Dataset.objects.filter(pk=webhook.dataset_id).update(tells_submissions=told)
