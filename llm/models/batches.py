"""Requests that wait for their answers in files at an endpoint's Batch API."""

from django.db import models
from django.db.models import Q

from jobs.models import GroupedItem, JobItemQuerySet
from llm.models.endpoint import Endpoint


class RequestBatch(GroupedItem):
    """One file of requests to one model. It is work by itself (llm/batch_api/request_batch_job.py): submitted, polled
    until the server is done, and read into the cache of answers.

    `name` stands in the batch's metadata at the server, so that a batch whose number was lost is found again. `owner`
    names the work that asked, such as "run 12". `path`: of the requests. `changes`: how the model is asked otherwise
    than the requests say (llm/dialects.py). `file` and `server_id` are the server's names of the file and of the batch,
    "" before it has them; `status` is its word for how far it is, and `requests`, `answered` and `refused` count the
    lines. `held_*`: the greatest possible spending, which counts as spent by the owner until the answers are read;
    `held_usd` None: the price is not known. `cancelled_at`: when the owner wanted it no more.
    """

    name = models.CharField(max_length=32, unique=True)
    owner = models.CharField(max_length=64, db_index=True)
    endpoint = models.ForeignKey(Endpoint, on_delete=models.CASCADE, related_name="request_batches")
    model = models.CharField(max_length=200)
    path = models.CharField(max_length=100)
    changes = models.JSONField(default=list, blank=True)
    file = models.CharField(max_length=200, blank=True, default="")
    server_id = models.CharField(max_length=200, blank=True, default="")
    status = models.CharField(max_length=50, blank=True, default="")
    requests = models.PositiveIntegerField()
    answered = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)
    held_tokens = models.PositiveBigIntegerField(default=0)
    held_usd = models.DecimalField(max_digits=14, decimal_places=6, null=True, blank=True)
    submitted_at = models.DateTimeField(null=True, blank=True)
    cancelled_at = models.DateTimeField(null=True, blank=True)

    objects = JobItemQuerySet.as_manager()

    class Meta(GroupedItem.Meta):
        verbose_name_plural = "request batches"

    def __str__(self) -> str:
        return f"{self.requests} requests to {self.model} at {self.endpoint}"


class BatchedRequest(models.Model):
    """A request of a batch that has no answer yet. `request` as in llm.models.Call. `changes`: those of this request
    alone. `attempts`: batches that it was in. `error`: why it failed for good; `concerns_all`: so would every other."""

    class State(models.TextChoices):
        WAITING = "waiting", "Waiting"
        AGAIN = "again", "To be sent again"
        ANSWERED = "answered", "Answered"
        FAILED = "failed", "Failed"

    batch = models.ForeignKey(RequestBatch, on_delete=models.CASCADE, related_name="lines")
    owner = models.CharField(max_length=64)
    request_hash = models.CharField(max_length=64)
    request = models.JSONField()
    changes = models.JSONField(default=list, blank=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=1)
    error = models.TextField(blank=True, default="")
    concerns_all = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["owner", "request_hash"], name="batched_request_once"),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "again", "answered", "failed"]), name="batched_request_state_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.request_hash[:12]} of {self.owner}"
