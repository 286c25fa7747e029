"""Predictions as JSON."""

from typing import Any

from rest_framework import serializers

from annotate.models import Value
from api.rest.views import Fields
from evaluators.runs.create import LONGEST_NAME
from evaluators.runs.listed_predictions import NARROWED

MOST_LISTED = 1000


class PredictionSerializer(Fields):
    """A judgement of a unit: a segment, or a fact of it."""

    id = serializers.IntegerField(source="pk")
    index = serializers.CharField(help_text="Of the response.")
    segment = serializers.IntegerField(source="segment_position", help_text="Counts from 0.")
    fact = serializers.IntegerField(
        source="fact_position", allow_null=True, help_text="Counts from 0 in its segment; null: the whole segment."
    )
    value = serializers.ChoiceField(Value.choices, allow_null=True, help_text="null: it could not be parsed.")
    score = serializers.FloatField(allow_null=True, help_text="The probability of “supported”.")
    rationale = serializers.CharField()
    fallback = serializers.CharField(help_text="Why another method than the run's judged it; empty: none did.")


class PredictionFilterSerializer(serializers.Serializer[Any]):
    show = serializers.ChoiceField(
        list(NARROWED), required=False, default="", help_text="Judged an error, unparsed, or against gold."
    )


class PushSerializer(serializers.Serializer[Any]):
    """Whose predictions they are, as parameters of the address; a form may name the evaluator too."""

    evaluator = serializers.CharField(
        max_length=LONGEST_NAME, required=False, help_text="Its name: a new one, or an earlier one to add to."
    )
    partial = serializers.BooleanField(  # type: ignore[assignment]
        default=False, required=False, help_text="Leave out rows that cannot be stored; else nothing is."
    )


class PredictionFileSerializer(serializers.Serializer[Any]):
    """JSON lines, CSV or Parquet; the ending of the file's name tells CSV."""

    file = serializers.FileField()
    evaluator = serializers.CharField(max_length=LONGEST_NAME, required=False)


class SentPredictionsSerializer(PushSerializer):
    """Parameters and fields together."""

    evaluator = serializers.CharField(max_length=LONGEST_NAME)
    file = serializers.FileField()


class LeftOutSerializer(serializers.Serializer[Any]):
    line = serializers.IntegerField(help_text="Line or row of the file, from 1.")
    detail = serializers.CharField()


class PushedSerializer(serializers.Serializer[Any]):
    """What became of the rows."""

    evaluator = serializers.CharField()
    run = serializers.IntegerField()
    created = serializers.IntegerField()
    unchanged = serializers.IntegerField()
    left_out = serializers.IntegerField()
    rows_left_out = LeftOutSerializer(many=True, help_text=f"The first {MOST_LISTED:,}.")
