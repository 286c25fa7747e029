"""Predictions as JSON."""

from typing import Any

from rest_framework import serializers

from annotate.models import Value
from api.rest.views import Fields
from core.numbers import LARGEST_NUMBER
from evaluators.run_page.claims import CLAIMS_SHOWN
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


class ClaimUnitSerializer(serializers.Serializer[Any]):
    """A unit that says what the claim says: a segment, or a fact of it."""

    segment = serializers.IntegerField(source="segment.position", help_text="Counts from 0.")
    fact = serializers.IntegerField(
        source="fact.position", allow_null=True, help_text="Counts from 0; null: the whole segment."
    )


class ExtractedClaimSerializer(Fields):
    """A claim of a response that the run's method extracted by itself."""

    id = serializers.IntegerField(source="pk")
    index = serializers.CharField(source="response.index", help_text="Of the response.")
    position = serializers.IntegerField(help_text="Counts the claims of the response from 0.")
    text = serializers.CharField()
    value = serializers.ChoiceField(Value.choices, allow_null=True, help_text="null: it could not be parsed.")
    score = serializers.FloatField(allow_null=True, help_text="The probability of “supported”.")
    rationale = serializers.CharField()
    segment = serializers.IntegerField(
        allow_null=True, help_text="The segment it was taken from, counted from 0; null: the method does not say."
    )
    units = ClaimUnitSerializer(many=True, source="alignments.all", help_text="None: no unit says it.")


class ClaimFilterSerializer(serializers.Serializer[Any]):
    show = serializers.ChoiceField(
        list(CLAIMS_SHOWN), required=False, default="", help_text="Claims of no unit, or of several."
    )


class OriginSerializer(serializers.Serializer[Any]):
    """Where imported predictions come from; what is left out stays as it is."""

    model = serializers.CharField(
        max_length=LONGEST_NAME, required=False, default="", allow_blank=True, help_text="The model that judged."
    )
    cost_usd = serializers.FloatField(
        required=False, default=None, allow_null=True, help_text="The price of all predictions of the run together."
    )
    made_on = serializers.CharField(
        required=False, default="", allow_blank=True, help_text="The day of the predictions, as 2026-01-31."
    )
    link = serializers.CharField(required=False, default="", allow_blank=True, help_text="Their code or data.")
    paper = serializers.CharField(
        required=False, default="", allow_blank=True, help_text="A citation, a DOI or an address."
    )


class PushSerializer(OriginSerializer):
    """Whose predictions they are and where they come from, as parameters of the address; a form may say it too."""

    evaluator = serializers.CharField(
        max_length=LONGEST_NAME, required=False, help_text="Its name: a new one, or an earlier one to add to."
    )
    partial = serializers.BooleanField(  # type: ignore[assignment]
        default=False, required=False, help_text="Leave out rows that cannot be stored; else nothing is."
    )


class PredictionFileSerializer(OriginSerializer):
    """JSON lines, CSV or Parquet; the ending of the file's name tells CSV."""

    file = serializers.FileField()
    evaluator = serializers.CharField(max_length=LONGEST_NAME, required=False)


class SentPredictionsSerializer(PushSerializer):
    """Parameters and fields together."""

    evaluator = serializers.CharField(max_length=LONGEST_NAME)
    file = serializers.FileField()


class ScoreField(serializers.CharField):
    """A score and the value that it means: (score, value)."""

    def to_internal_value(self, data: Any) -> tuple[str, str]:  # type: ignore[override]
        score, _, value = super().to_internal_value(data).rpartition("=")
        if not score or value not in Value.values:
            raise serializers.ValidationError(f"Write SCORE=VALUE, where VALUE is one of {', '.join(Value.values)}.")
        return score, value


class EvalLogSerializer(serializers.Serializer[Any]):
    """The options of `import_predictions --format inspect`."""

    file = serializers.FileField(help_text="An eval log of inspect_ai, in JSON or `.eval`.")
    evaluator = serializers.CharField(max_length=LONGEST_NAME, help_text="Its name, new or known.")
    scorer = serializers.CharField(required=False, default="", help_text="Without it the log's only one.")
    epoch = serializers.IntegerField(
        required=False, default=1, min_value=1, max_value=LARGEST_NUMBER, help_text="Whose scores are read."
    )
    value = serializers.ListField(
        child=ScoreField(), required=False, default=list, help_text="SCORE=VALUE: what a score means; may repeat."
    )


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
