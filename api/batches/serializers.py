"""Batches as JSON."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.evaluators.serializers import SCALAR
from api.jobs.control import LimitsSerializer
from api.rest.views import Fields
from api.runs.serializers import MOST, RunListSerializer, ScalarField
from evaluators.runs.batches import MOST_RUNS
from evaluators.runs.create import LONGEST_NAME


class BatchListSerializer(Fields):
    """Runs that were started together, under one budget."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    max_tokens_total = serializers.IntegerField(source="max_tokens", allow_null=True)
    max_cost = serializers.FloatField(source="max_cost_usd", allow_null=True)
    spent_tokens = serializers.IntegerField(help_text="Of calls of its own runs.")
    spent_usd = serializers.FloatField()
    created_at = serializers.DateTimeField()


class BatchSerializer(serializers.Serializer[Any]):
    """A batch with all its runs."""

    batch = BatchListSerializer()
    runs = RunListSerializer(many=True, help_text="Also those that were there before, by the evaluator's name.")


class NewBatchSerializer(LimitsSerializer):
    """One method with several models, or several methods with one model; the limits are of all runs together."""

    methods = serializers.ListField(child=serializers.CharField(), min_length=1, max_length=MOST_RUNS)
    models = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_NAME), required=False, default=list, max_length=MOST_RUNS
    )
    parameters = serializers.DictField(
        child=extend_schema_field(SCALAR)(ScalarField)(),
        required=False,
        default=dict,
        help_text="Of the methods that call a model, by name.",
    )
    search = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=LONGEST_NAME,
        help_text="The search engine of the methods that search the web, by name, or corpus.",
    )
    name = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=LONGEST_NAME, help_text="Of the batch."
    )
    limit = serializers.IntegerField(
        min_value=1,
        max_value=MOST,
        required=False,
        default=None,
        allow_null=True,
        help_text="Only the first responses.",
    )
    force = serializers.BooleanField(required=False, default=False, help_text="Also where the same run is there.")
    batch_api = serializers.BooleanField(
        required=False, default=False, help_text="Ask in files, within a day, at a lower price."
    )
