"""Jobs as JSON."""

from typing import Any

from django.urls import reverse
from rest_framework import serializers

from api.jobs.listing import LISTED, STATES, ListedJob
from api.rest.pages import LARGEST_PAGE, PAGE
from api.rest.views import Fields
from jobs.progress import counts_of


class JobFilterSerializer(serializers.Serializer[Any]):
    kind = serializers.ListField(
        child=serializers.ChoiceField(list(LISTED)),
        required=False,
        default=list,
        help_text="Only this kind; may repeat.",
    )
    state = serializers.ChoiceField(list(STATES), required=False, default="", help_text="Only in this state.")
    page_size = serializers.IntegerField(required=False, default=PAGE, min_value=1, max_value=LARGEST_PAGE)
    cursor = serializers.CharField(required=False, default="", help_text="From `next` of the page before.")


class JobSerializer(Fields):
    """Background work of a dataset."""

    kind = serializers.CharField()
    id = serializers.IntegerField(source="job.pk")
    dataset = serializers.IntegerField()
    state = serializers.CharField(help_text=f"One of {', '.join(STATES)}.")
    own_state = serializers.CharField(source="job.state", help_text="As its kind calls it.")
    items = serializers.IntegerField()
    waiting = serializers.IntegerField()
    under_way = serializers.IntegerField(source="leased")
    done = serializers.IntegerField()
    failed = serializers.IntegerField()
    spent_tokens = serializers.IntegerField(source="job.spent_tokens", help_text="By its own calls.")
    spent_usd = serializers.FloatField(source="job.spent_usd")
    max_tokens = serializers.IntegerField(source="job.max_tokens", allow_null=True)
    max_cost_usd = serializers.FloatField(source="job.max_cost_usd", allow_null=True)
    error = serializers.CharField(source="job.error", help_text="Why it stopped by itself; empty: it did not.")
    created_at = serializers.DateTimeField(source="job.created_at")
    finished_at = serializers.DateTimeField(source="job.finished_at", allow_null=True)
    address = serializers.SerializerMethodField(help_text="Of what it makes: of the API, or a page.")

    def get_address(self, listed: ListedJob) -> str:
        return reverse(LISTED[listed.kind].address, args=[listed.job.pk])


class JobFailureSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField()
    items = serializers.IntegerField()


class WholeJobSerializer(JobSerializer):
    """Background work with what its page shows."""

    rate = serializers.FloatField(allow_null=True, help_text="Items a second, of late; null before two are settled.")
    not_picked_up = serializers.BooleanField(help_text="Work waits, and no worker has taken it for a while.")
    failures = JobFailureSerializer(many=True, help_text="The most frequent reasons first.")

    def to_representation(self, instance: ListedJob) -> dict[str, Any]:
        found = counts_of(instance.job)
        row = JobSerializer(instance).data
        failures = [{"reason": reason, "items": number} for reason, number in found["reasons"]]
        return {**row, "rate": found["rate"], "not_picked_up": found["not_picked_up"], "failures": failures}


class JobPageSerializer(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True)
    results = JobSerializer(many=True)
