"""Benchmarks and scorings as JSON."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.jobs.control import LimitsSerializer
from api.rest.views import Fields
from core.parquet import Columns
from factor.benchmarks.examples import ORDERS
from factor.models import CompletionScore, ScoredModel, Scoring
from factor.scoring.start import ScoringRequest
from stats.factor import MEAN, RULES

MOST = 2**31 - 1


class BenchmarkSerializer(Fields):
    """A benchmark of a dataset."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    examples = serializers.IntegerField(source="sized")
    false_completions = serializers.IntegerField(source="false")
    scorings = serializers.IntegerField(source="scored", help_text="Finished ones.")
    source = serializers.CharField(  # type: ignore[assignment]
        source="source.name", default=None, allow_null=True, help_text="Knowledge source that it was made from."
    )
    created_at = serializers.DateTimeField()


class BenchmarkFileSerializer(serializers.Serializer[Any]):
    name = serializers.CharField(help_text="Of the benchmark.")
    file = serializers.FileField(help_text="CSV in FACTOR's published layout.")
    source = serializers.CharField(  # type: ignore[assignment]
        required=False, help_text="The knowledge source whose documents the column doc_id names."
    )


class ImportedBenchmarkSerializer(serializers.Serializer[Any]):
    """What became of the file; keys as of `import_benchmark --json`."""

    id = serializers.IntegerField(help_text="Of the benchmark.")
    name = serializers.CharField()
    created = serializers.IntegerField(help_text="Examples that are new.")
    unchanged = serializers.IntegerField(help_text="Examples that the benchmark has already.")
    unlike = serializers.IntegerField(help_text="Examples with other than three false completions.")
    linked = serializers.IntegerField(help_text="Examples from documents of the source.")


class CompletionSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    error_type = serializers.CharField(help_text="Of a false one; empty: not known.")


class ExampleSerializer(Fields):
    """A prefix and its completions, the true one first."""

    id = serializers.IntegerField(source="pk")
    position = serializers.IntegerField()
    prefix = serializers.CharField()
    scored_prefix = serializers.CharField(help_text="The prefix that models are given.")
    document = serializers.CharField(source="document_key")
    dated = serializers.DateField(allow_null=True)
    completions = CompletionSerializer(many=True)
    excluded = serializers.SerializerMethodField(help_text="Whether it is left out of figures.")

    def get_excluded(self, example: Any) -> bool:
        return any(each.lifted_at is None for each in example.exclusions.all())


class ExampleFilterSerializer(serializers.Serializer[Any]):
    words = serializers.CharField(required=False, default="", help_text="In the prefix or a completion.")
    error_type = serializers.CharField(required=False, default="", help_text="Of a false completion; none: without.")
    document = serializers.CharField(required=False, default="")
    since = serializers.DateField(required=False, default=None)
    until = serializers.DateField(required=False, default=None)
    sort = serializers.ChoiceField(
        [each for each in ORDERS if each],
        required=False,
        default="",
        source="order",
        help_text="As in the benchmark without it.",
    )


class NewScoredModelSerializer(Fields):
    """A language model, and how it is reached."""

    name = serializers.CharField(max_length=200)
    family = serializers.CharField(
        required=False, default="", max_length=100, allow_blank=True, help_text="One family is one line of a chart."
    )
    parameters = serializers.IntegerField(
        required=False, default=None, allow_null=True, min_value=0, max_value=2**63 - 1, help_text="How many it has."
    )
    cutoff = serializers.DateField(
        required=False, default=None, allow_null=True, help_text="Date of the newest training text."
    )
    reached_by = serializers.ChoiceField(
        [(value, label) for value, label in ScoredModel.Reached.choices if value != ScoredModel.Reached.ELSEWHERE]
    )
    endpoint = serializers.IntegerField(
        required=False, default=None, allow_null=True, help_text="Its id, for a model at an endpoint."
    )
    reached_as = serializers.CharField(
        max_length=300, help_text="The model's name at the endpoint, or the folder or file of its weights."
    )


class ScoredModelSerializer(NewScoredModelSerializer):
    """A language model that can be scored, or whose scores came with a file."""

    id = serializers.IntegerField(source="pk", read_only=True)
    reached_by = serializers.ChoiceField(ScoredModel.Reached.choices)
    endpoint = serializers.IntegerField(source="endpoint_id", allow_null=True)
    created_at = serializers.DateTimeField(read_only=True)


class ScoringListSerializer(Fields):
    """A language model's pass over a benchmark."""

    id = serializers.IntegerField(source="pk")
    model = serializers.CharField(source="model.name")
    state = serializers.CharField(help_text=f"One of {', '.join(Scoring.State.values)}.")
    error = serializers.CharField(help_text="Why it stopped by itself; empty: it did not.")
    context_length = serializers.IntegerField()
    with_prefix = serializers.BooleanField()
    start_token = serializers.BooleanField()
    source = serializers.CharField(  # type: ignore[assignment]
        source="source.name", default=None, allow_null=True, help_text="Knowledge source of retrieval."
    )
    examples = serializers.IntegerField()
    settled = serializers.IntegerField(help_text="Examples that are scored or failed.")
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)


class ScoringSerializer(serializers.Serializer[Any]):
    """A scoring with its progress: `{"scoring": Scoring, "progress": ScoringProgress}`."""

    id = serializers.IntegerField(source="scoring.pk")
    benchmark = serializers.IntegerField(source="scoring.benchmark_id")
    model = serializers.CharField(source="scoring.model.name")
    state = serializers.CharField(source="scoring.state", help_text=f"One of {', '.join(Scoring.State.values)}.")
    error = serializers.CharField(source="scoring.error")
    context_length = serializers.IntegerField(source="scoring.context_length")
    with_prefix = serializers.BooleanField(source="scoring.with_prefix")
    start_token = serializers.BooleanField(source="scoring.start_token")
    examples = serializers.IntegerField(source="progress.total")
    scored = serializers.IntegerField(source="progress.done")
    failed = serializers.IntegerField(source="progress.failed")
    completions_without_score = serializers.IntegerField(source="progress.without_score")
    tokens_per_second = serializers.FloatField(source="progress.tokens_a_second", allow_null=True)
    left = serializers.FloatField(source="progress.left", allow_null=True, help_text="Seconds, about.")
    spent_tokens = serializers.IntegerField(source="scoring.spent_tokens")
    spent_usd = serializers.FloatField(source="scoring.spent_usd")
    max_tokens_total = serializers.IntegerField(source="scoring.max_tokens", allow_null=True)
    max_cost = serializers.FloatField(source="scoring.max_cost_usd", allow_null=True)
    failures = serializers.SerializerMethodField()
    created_at = serializers.DateTimeField(source="scoring.created_at")
    finished_at = serializers.DateTimeField(source="scoring.finished_at", allow_null=True)
    results = serializers.SerializerMethodField(help_text="The address of the figures.")

    def get_failures(self, row: dict[str, Any]) -> dict[str, int]:
        """How often each reason occurs."""
        return dict(row["progress"].reasons)

    def get_results(self, row: dict[str, Any]) -> str:
        return reverse("api:benchmark-results", args=[row["scoring"].benchmark_id])


SCORE_COLUMNS: Columns = {
    "id": "int64",
    "example": "int32",
    "place": "int32",
    "text": "string",
    "total": "float64",
    "count": "int32",
    "prefix_tokens": "int32",
    "tokens": [{"start": "int32", "end": "int32", "logprob": "float64"}],
    "error": "string",
}


class ScoredTokenSerializer(serializers.Serializer[Any]):
    start = serializers.IntegerField(help_text="Its first character in the completion.")
    end = serializers.IntegerField(help_text="The character after its last.")
    logprob = serializers.FloatField()


class ScoreSerializer(Fields):
    """A language model's score of one completion."""

    id = serializers.IntegerField(source="pk")
    example = serializers.IntegerField(source="completion.example.position", help_text="Counts from 0.")
    place = serializers.IntegerField(source="completion.place", help_text="Of the completion; 0: the true one.")
    text = serializers.CharField(source="completion.text")
    total = serializers.FloatField(allow_null=True, help_text="Sum of the logprobs; null: it has no score.")
    count = serializers.IntegerField(help_text="Scored tokens.")
    prefix_tokens = serializers.IntegerField()
    tokens = serializers.SerializerMethodField()
    error = serializers.CharField(help_text="Why it has no score; empty: it has one.")

    @extend_schema_field(ScoredTokenSerializer(many=True))
    def get_tokens(self, score: CompletionScore) -> list[dict[str, Any]]:
        return [dict(zip(("start", "end", "logprob"), token, strict=True)) for token in score.tokens]


class NewScoringSerializer(LimitsSerializer):
    """A scoring to be started: the options of the command `score_benchmark`."""

    model = serializers.CharField(help_text="Name of a scored model of the dataset.")
    context_length = serializers.IntegerField(
        required=False, default=ScoringRequest.context_length, min_value=1, max_value=MOST, help_text="Tokens."
    )
    with_prefix = serializers.BooleanField(required=False, default=True)
    start_token = serializers.BooleanField(required=False, default=False, help_text="Of a local model's tokenizer.")
    source = serializers.CharField(  # type: ignore[assignment]
        required=False, default=None, allow_null=True, help_text="Retrieve from this knowledge source."
    )
    stride = serializers.IntegerField(required=False, default=ScoringRequest.stride, min_value=1, max_value=MOST)
    query_tokens = serializers.IntegerField(
        required=False, default=ScoringRequest.query_tokens, min_value=1, max_value=MOST
    )
    limit = serializers.IntegerField(
        required=False, default=None, allow_null=True, min_value=1, max_value=MOST, help_text="The first examples."
    )


class FactorReportOptionsSerializer(serializers.Serializer[Any]):
    scoring = serializers.ListField(
        child=serializers.IntegerField(), required=False, default=None, help_text="Only this one; may repeat."
    )
    rule = serializers.ChoiceField(
        list(RULES), required=False, default=MEAN, help_text="By which models are compared and examples parted."
    )
