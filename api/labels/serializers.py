"""Labels as JSON: the keys of an export, with the ids of their units."""

from typing import Any

from rest_framework import serializers

from annotate.models import GoldLabel, Label, Value
from api.rest.views import Fields
from core.numbers import LARGEST_NUMBER
from core.parquet import Columns

JUDGEMENT_COLUMNS: Columns = {
    "id": "int64",
    "index": "string",
    "segment": "int32",
    "fact": "int32",
    "segment_id": "int64",
    "fact_id": "int64",
    "text": "string",
    "value": "string",
    "error_type": "string",
    "irrelevance": "string",
    "reason": "string",
    "references": ["string"],
}
COLUMNS: Columns = {
    **JUDGEMENT_COLUMNS,
    "annotator": "string",
    "flagged": "bool",
    "revision": "int32",
    "created_at": "string",
}


class JudgementSerializer(Fields):
    """What labels and gold labels share. The rows have their segment with its response, their fact and references."""

    id = serializers.IntegerField(source="pk")
    index = serializers.CharField(source="segment.response.index", help_text="Of the response.")
    segment = serializers.IntegerField(source="segment.position", help_text="Counts from 0.")
    fact = serializers.IntegerField(
        source="fact.position", default=None, allow_null=True, help_text="Counts from 0; null: the whole segment."
    )
    segment_id = serializers.IntegerField()
    fact_id = serializers.IntegerField(allow_null=True)
    text = serializers.SerializerMethodField(help_text="Of the unit.")
    value = serializers.ChoiceField(Value.choices)
    error_type = serializers.CharField()
    irrelevance = serializers.CharField()
    reason = serializers.CharField()
    references = serializers.SerializerMethodField(help_text="Links, or titles of documents.")

    def get_text(self, judgement: Label | GoldLabel) -> str:
        return (judgement.fact or judgement.segment).text

    def get_references(self, judgement: Label | GoldLabel) -> list[str]:
        return [link.location for link in judgement.references.all()]


class LabelSerializer(JudgementSerializer):
    """A submitted judgement of a unit: a segment, or a fact of it."""

    annotator = serializers.SerializerMethodField(help_text="A user name for adjudicators, else a pseudonym.")
    flagged = serializers.BooleanField(help_text="The annotator wants it looked at.")
    revision = serializers.IntegerField(help_text="0: as it was first submitted.")
    created_at = serializers.DateTimeField()

    def get_annotator(self, label: Label) -> str:
        return str(self.context["view"].names.of(label.assignment.annotator))


class LabelFilterSerializer(serializers.Serializer[Any]):
    value = serializers.ChoiceField(Value.choices, required=False)
    response = serializers.IntegerField(
        required=False, min_value=0, max_value=LARGEST_NUMBER, help_text="The id of a response."
    )
