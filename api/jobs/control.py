"""Stop a job, and resume it under limits."""

from decimal import Decimal
from typing import Any

from django.db import transaction
from rest_framework import serializers
from rest_framework.request import Request

from api.rest.sent import read_body
from jobs.enqueue import enqueue
from jobs.limits import Limits
from jobs.models import Job

MOST = 2**63 - 1


class LimitsSerializer(serializers.Serializer[Any]):
    """The greatest spending of the job's own calls; without one there is no limit, or that of the job resumed."""

    max_tokens_total = serializers.IntegerField(min_value=1, max_value=MOST, required=False, allow_null=True)
    max_cost = serializers.DecimalField(
        max_digits=12,
        decimal_places=6,
        min_value=Decimal("0.000001"),
        required=False,
        allow_null=True,
        help_text="US dollars.",
    )


def read_limits(sent: dict[str, Any]) -> Limits:
    return Limits(sent.get("max_tokens_total"), sent.get("max_cost"))


def enqueue_later(job: Job) -> None:
    """Once the request is stored: a worker finds the row. A queue that is out of reach is swept later."""
    transaction.on_commit(lambda: enqueue(job))


def resume(job: Job, request: Request) -> bool:
    """Resume under the limits that were sent. False where nothing of it is left to do."""
    if resumed := job.resume(read_limits(read_body(LimitsSerializer, request))):
        enqueue_later(job)
    return resumed
