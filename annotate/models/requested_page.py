"""A page of the web that an annotator asked for while they worked."""

from django.db import models
from django.db.models import Q

from annotate.models.work import Assignment, random_key
from jobs.models import GroupedItem, JobItemQuerySet


class RequestedPage(GroupedItem):
    """The fetch of a page for one assignment; `key` names it in addresses.

    It is fetched whoever has asked for it before: an annotator then learns nothing of what others cite. `snapshot` is
    the page as it was fetched; an earlier snapshot of the same content stands in for a second row of it. `url` is in
    the form of knowledge/fetching/addresses.py. It is done with a snapshot, or failed for the reason in `error`.
    """

    assignment = models.ForeignKey(Assignment, on_delete=models.CASCADE, related_name="requested_pages")
    key = models.CharField(max_length=16, unique=True, default=random_key, editable=False)
    url = models.TextField()
    snapshot = models.ForeignKey(
        "knowledge.Snapshot", null=True, blank=True, on_delete=models.PROTECT, related_name="requested"
    )

    objects = JobItemQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            *GroupedItem.Meta.constraints,
            models.UniqueConstraint(fields=["assignment", "url"], name="requested_page_once"),
            models.CheckConstraint(
                condition=~Q(state="done") | Q(settled_at__isnull=False, snapshot__isnull=False),
                name="requested_page_done_has_snapshot",
            ),
            models.CheckConstraint(condition=~Q(state="failed") | ~Q(error=""), name="requested_page_failed_says_why"),
        ]
        indexes = [models.Index(fields=["state", "enqueued_at"], name="requested_page_waiting")]

    def __str__(self) -> str:
        return f"{self.url} for {self.assignment}"
