"""Runs as JSON."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.evaluators.serializers import SCALAR
from api.jobs.control import LimitsSerializer
from api.rest.views import Fields
from evaluators.models import Run
from evaluators.runs.create import LONGEST_NAME

MOST = 2**31 - 1


class ScalarField(serializers.Field[Any, Any, Any, Any]):
    """A text, a number, true or false."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str | int | float):
            raise serializers.ValidationError("A text, a number, true or false.")
        return str(data)


class RunListSerializer(Fields):
    """A run of an evaluator over the dataset."""

    id = serializers.IntegerField(source="pk")
    evaluator = serializers.CharField(source="evaluator.name")
    method = serializers.CharField(source="evaluator.method")
    model = serializers.CharField(source="evaluator.model")
    state = serializers.ChoiceField(Run.State.choices)
    error = serializers.CharField(help_text="Why it stopped by itself; empty: it did not.")
    responses = serializers.IntegerField(source="total")
    done = serializers.IntegerField(help_text="Responses that are judged.")
    failed = serializers.IntegerField(help_text="Responses that could not be judged.")
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)


class RunFilterSerializer(serializers.Serializer[Any]):
    state = serializers.ChoiceField(Run.State.choices, required=False, default="")
    evaluator = serializers.CharField(required=False, default="", help_text="A part of the evaluator's name.")


class FailureSerializer(serializers.Serializer[Any]):
    reason = serializers.CharField()
    responses = serializers.IntegerField()


class RunProgressSerializer(serializers.Serializer[Any]):
    """How far the run is. a_minute: responses, null before the first; left: seconds, null without a rate."""

    responses = serializers.IntegerField(source="total")
    done = serializers.IntegerField()
    failed = serializers.IntegerField()
    under_way = serializers.IntegerField(source="leased")
    predicted = serializers.IntegerField(help_text="Units with a value.")
    unparsed = serializers.IntegerField(help_text="Units whose answer could not be parsed.")
    skipped = serializers.DictField(child=serializers.IntegerField(), help_text="Units left out, by reason.")
    fallbacks = serializers.DictField(
        child=serializers.IntegerField(), help_text="Units judged by another method, by reason."
    )
    a_minute = serializers.FloatField(allow_null=True)
    left = serializers.FloatField(allow_null=True)
    seconds = serializers.FloatField(allow_null=True, help_text="From the start to the last prediction.")
    not_picked_up = serializers.BooleanField(help_text="Work waits, and no worker has taken it for a while.")


class RunSpentSerializer(serializers.Serializer[Any]):
    """What the run's answers took. paid: answers that came from the model; cached: answers that were known."""

    paid = serializers.IntegerField()
    cached = serializers.IntegerField()
    tokens = serializers.IntegerField()
    cost_usd = serializers.FloatField(allow_null=True, help_text="null: the price of an answer is unknown.")
    max_tokens_total = serializers.IntegerField(allow_null=True)
    max_cost = serializers.FloatField(allow_null=True)


class RunSerializer(serializers.Serializer[Any]):
    """A run with its progress: `{"run": Run, "progress": RunProgress}`."""

    id = serializers.IntegerField(source="run.pk")
    dataset = serializers.IntegerField(source="run.dataset_id")
    evaluator = serializers.CharField(source="run.evaluator.name")
    method = serializers.CharField(source="run.evaluator.method")
    model = serializers.CharField(source="run.evaluator.model")
    parameters = serializers.DictField(
        source="run.evaluator.parameters", child=extend_schema_field(SCALAR)(serializers.JSONField)()
    )
    state = serializers.ChoiceField(Run.State.choices, source="run.state")
    error = serializers.CharField(source="run.error")
    progress = RunProgressSerializer()
    spent = RunSpentSerializer()
    failures = FailureSerializer(many=True, help_text="The most frequent reasons first.")
    created_at = serializers.DateTimeField(source="run.created_at")
    started_at = serializers.DateTimeField(source="run.started_at", allow_null=True)
    finished_at = serializers.DateTimeField(source="run.finished_at", allow_null=True)
    manifest = serializers.SerializerMethodField(help_text="The address of all that is needed to repeat it.")
    predictions = serializers.SerializerMethodField(help_text="The address of its predictions.")

    def get_manifest(self, row: dict[str, Any]) -> str:
        return reverse("api:run-manifest", args=[row["run"].pk])

    def get_predictions(self, row: dict[str, Any]) -> str:
        return reverse("api:run-predictions", args=[row["run"].pk])


class RunOptionsSerializer(serializers.Serializer[Any]):
    """What is estimated: the options of the command `evaluate`."""

    method = serializers.CharField()
    model = serializers.CharField(required=False, default="", allow_blank=True, max_length=LONGEST_NAME)
    parameters = serializers.DictField(
        child=extend_schema_field(SCALAR)(ScalarField)(), required=False, default=dict, help_text="By name."
    )
    limit = serializers.IntegerField(
        min_value=1,
        max_value=MOST,
        required=False,
        default=None,
        allow_null=True,
        help_text="Only the first responses.",
    )


class NewRunSerializer(RunOptionsSerializer, LimitsSerializer):
    """A run to be started: the options of the command `evaluate`."""

    name = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=LONGEST_NAME,
        help_text="The evaluator's name; empty: the method and the model.",
    )
    force = serializers.BooleanField(required=False, default=False, help_text="Also where the same run is there.")
    anew = serializers.BooleanField(required=False, default=False, help_text="Ask the model again for known answers.")


class EstimateSerializer(serializers.Serializer[Any]):
    """A run before it starts, rehearsed on a few responses, with no call."""

    responses = serializers.IntegerField()
    sampled = serializers.IntegerField()
    known = serializers.IntegerField(help_text="Answers that are known and cost nothing.")
    calls = serializers.IntegerField(help_text="At most.")
    prompt_tokens = serializers.IntegerField(help_text="About.")
    completion_tokens = serializers.IntegerField(help_text="At most.")
    cost_usd = serializers.FloatField(allow_null=True, help_text="At most; null: the model has no price.")
