"""Jobs as JSON."""

from typing import Any

from django.urls import reverse
from rest_framework import serializers

from api.jobs.listing import LISTED, STATES, ListedJob
from api.rest.views import LARGEST_PAGE, PAGE, Fields


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
    done = serializers.IntegerField()
    failed = serializers.IntegerField()
    error = serializers.CharField(source="job.error", help_text="Why it stopped by itself; empty: it did not.")
    created_at = serializers.DateTimeField(source="job.created_at")
    finished_at = serializers.DateTimeField(source="job.finished_at", allow_null=True)
    address = serializers.SerializerMethodField(help_text="Of what it makes: of the API, or a page.")

    def get_address(self, listed: ListedJob) -> str:
        return reverse(LISTED[listed.kind].address, args=[listed.job.pk])


class JobPageSerializer(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True)
    results = JobSerializer(many=True)
