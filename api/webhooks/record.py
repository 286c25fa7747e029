"""What happens in a dataset, as deliveries to its webhooks: rows of the same transaction."""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from api.jobs.listing import LISTED
from api.models import Event, Webhook, WebhookDelivery
from api.webhooks.delivery_job import WebhookJob
from jobs.enqueue import enqueue_waiting

# Objects in one message: a change of settings can close thousands of tasks.
OBJECTS = 100
# The names of addresses in the API of what messages are about, by kind.
ADDRESSES = {
    "run": "api:run",
    "scoring": "api:scoring",
    "gold_version": "api:gold-version",
    "release": "api:release",
    "upload": "api:import",
    "document_upload": "api:document-upload",
    "results_upload": "api:results-import",
}


def webhooks_for(dataset: int, event: Event) -> list[Webhook]:
    """The webhooks of the dataset (primary key) that are told of the event: one query of an index."""
    return [each for each in Webhook.objects.filter(dataset=dataset, is_on=True) if event in each.events]


def record_event(webhooks: Sequence[Webhook], event: Event, kind: str, keys: Sequence[int], state: str) -> None:
    """A delivery to each of the webhooks, for each hundred objects: their kind, primary keys and state.

    Nothing else is told of them: whoever receives a message asks the API, which knows what they may see.
    """
    if not webhooks:
        return
    groups = [keys[start : start + OBJECTS] for start in range(0, len(keys), OBJECTS)]
    deliveries = [_delivery(webhook, event, _objects(kind, group, state)) for group in groups for webhook in webhooks]
    WebhookDelivery.objects.bulk_create(deliveries)
    transaction.on_commit(_enqueue_waiting)


def _delivery(webhook: Webhook, event: Event, objects: Sequence[Mapping[str, Any]]) -> WebhookDelivery:
    message_id = uuid4()
    body = {
        "id": str(message_id),
        "event": event.value,
        "created_at": timezone.now().isoformat(),
        "dataset": {"id": webhook.dataset_id, "address": reverse("api:dataset", args=[webhook.dataset_id])},
        "objects": objects,
    }
    return WebhookDelivery(webhook=webhook, message_id=message_id, event=event, body=json.dumps(body))


def _objects(kind: str, keys: Sequence[int], state: str) -> list[dict[str, Any]]:
    return [{"kind": kind, "id": key, "state": state, "address": _address(kind, key)} for key in keys]


def _address(kind: str, key: int) -> str | None:
    if kind in ADDRESSES:
        return reverse(ADDRESSES[kind], args=[key])
    return reverse("api:job", args=[kind, key]) if kind in LISTED else None


def _enqueue_waiting() -> None:
    enqueue_waiting(WebhookJob())
