"""Gold, its cases, versions and releases as JSON."""

import json
from typing import Any

from django.urls import reverse
from rest_framework import serializers

from annotate.adjudication.adjudication_case import AdjudicationCase, CaseSide
from annotate.models import Disagreement, GoldLabel, GoldVersion, Irrelevance, Release, Unsupported, Value
from annotate.release.licence import LONGEST_LICENCE
from api.labels.serializers import JUDGEMENT_COLUMNS, JudgementSerializer
from api.rest.views import Fields
from core.numbers import LARGEST_NUMBER
from core.parquet import Columns

COLUMNS: Columns = {
    **JUDGEMENT_COLUMNS,
    "tag": "string",
    "source": "string",
    "decided_by": "string",
    "why": "string",
    "revision": "int64",
}


class GoldLabelSerializer(JudgementSerializer):
    """The settled judgement of a unit: a segment, or a fact of it."""

    tag = serializers.CharField()
    source = serializers.ChoiceField(GoldLabel.Source.choices)  # type: ignore[assignment]
    decided_by = serializers.CharField(source="adjudication.who.username", default=None, allow_null=True)
    why = serializers.CharField(source="adjudication.why", default=None, allow_null=True)
    revision = serializers.IntegerField(help_text="Of gold, since which it holds.")


class VoteSerializer(serializers.Serializer[Any]):
    value = serializers.CharField()
    error_type = serializers.CharField()


class OpenCaseSerializer(serializers.Serializer[Any]):
    """A unit that waits for a decision."""

    segment_id = serializers.IntegerField(source="segment")
    fact_id = serializers.IntegerField(source="fact", allow_null=True)
    task = serializers.IntegerField()
    votes = VoteSerializer(source="sides", many=True, help_text="In an order that names nobody.")
    split = serializers.BooleanField(help_text="Some judged the sentence as a whole, others its facts.")
    challenged = serializers.BooleanField(help_text="An annotator doubts its gold.")


class CasesSerializer(serializers.Serializer[Any]):
    next = serializers.CharField(allow_null=True)
    total = serializers.IntegerField(help_text="Units and responses that need a person, in every slice.")
    unanimous = serializers.IntegerField(help_text="Units and corrections that need only be accepted.")
    slices = serializers.DictField(child=serializers.IntegerField(), help_text="By domain, or subject model.")
    results = OpenCaseSerializer(many=True)


class CaseCardSerializer(serializers.Serializer[Any]):
    url = serializers.CharField(allow_blank=True)
    quote = serializers.CharField(allow_blank=True)
    stance = serializers.CharField(allow_blank=True)
    document = serializers.IntegerField(allow_null=True, min_value=0, max_value=LARGEST_NUMBER)


class CaseFactSerializer(serializers.Serializer[Any]):
    fact_id = serializers.IntegerField()
    value = serializers.CharField()


class CaseSideSerializer(serializers.Serializer[Any]):
    """What an annotator says: of the unit, or of the facts of the sentence instead."""

    label = serializers.SerializerMethodField(help_text="Its id, to choose it by.")  # type: ignore[assignment]
    value = serializers.CharField(source="label.value", default=None, allow_null=True)
    error_type = serializers.CharField(source="label.error_type", default="")
    irrelevance = serializers.CharField(source="label.irrelevance", default="")
    reason = serializers.CharField(source="label.reason", default="")
    flagged = serializers.BooleanField(source="label.flagged", default=False)
    cards = CaseCardSerializer(many=True)
    facts = CaseFactSerializer(many=True)

    def get_label(self, side: CaseSide) -> int | None:
        return side.label.pk if side.label else None


class CaseDecisionSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField(source="pk")
    who = serializers.CharField(source="who.username")
    why = serializers.CharField()
    created_at = serializers.DateTimeField()


class AdjudicationCaseSerializer(serializers.Serializer[Any]):
    """A unit with what its annotators say, and the decisions so far."""

    segment_id = serializers.IntegerField(source="segment.pk")
    fact_id = serializers.IntegerField(source="fact.pk", default=None, allow_null=True)
    response_id = serializers.IntegerField(source="segment.response_id")
    text = serializers.CharField()
    whole_sentence = serializers.BooleanField(help_text="It is irrelevant as a whole, or its facts are judged.")
    sides = CaseSideSerializer(many=True, help_text="In an order that names nobody.")
    decision = CaseDecisionSerializer(allow_null=True, help_text="The last one.")
    gold = serializers.SerializerMethodField(help_text="Current gold; null: none.")

    def get_gold(self, case: AdjudicationCase) -> str | None:
        return next((gold.value for gold in case.gold if gold.superseded is None), None)


class CaseChoiceSerializer(serializers.Serializer[Any]):
    """A decision: a side is taken, or a third judgement is given."""

    choice = serializers.CharField(
        help_text="The id of a side's label, or “third”; of a whole sentence “irrelevant” or “keep”."
    )
    value = serializers.ChoiceField(Value.choices, required=False, help_text="Of a third judgement.")
    error_type = serializers.CharField(required=False, allow_blank=True)
    irrelevance = serializers.ChoiceField(Irrelevance.choices, required=False)
    reason = serializers.CharField(required=False, allow_blank=True)
    cards = CaseCardSerializer(many=True, required=False, help_text="Evidence that the decision cites.")
    with_others_cards = serializers.BooleanField(default=False, help_text="Cite the sides' evidence too.")
    category = serializers.ChoiceField(Disagreement.choices, required=False, help_text="Why annotators differ.")
    tag = serializers.ChoiceField(Unsupported.choices, required=False)
    cites = serializers.CharField(required=False, max_length=500, help_text="The rule of the guidelines.")
    why = serializers.CharField(help_text="It stays with the decision.")
    seen = serializers.IntegerField(
        allow_null=True, min_value=0, max_value=LARGEST_NUMBER, help_text="The id of the last decision; null: none."
    )

    @property
    def form_fields(self) -> dict[str, Any]:
        """What the form of the page sends."""
        sent = {**self.validated_data, "cards": json.dumps(self.validated_data.get("cards", []))}
        return {name: "" if value is None else value for name, value in sent.items()}


class UnanimousSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField(help_text="Units and corrections, to be sent as `expected`.")
    units = serializers.IntegerField()
    corrections = serializers.IntegerField()


class AcceptSerializer(serializers.Serializer[Any]):
    why = serializers.CharField()
    expected = serializers.IntegerField(min_value=0, max_value=LARGEST_NUMBER, help_text="The number that was read.")


class AcceptedSerializer(serializers.Serializer[Any]):
    accepted = serializers.IntegerField()


class GoldVersionSerializer(Fields):
    """Gold as it stood: it never changes. Keys as of `freeze_gold --json`."""

    id = serializers.IntegerField(source="pk")
    dataset = serializers.CharField(source="dataset.name")
    version = serializers.CharField(source="name")
    revision = serializers.IntegerField()
    hash = serializers.CharField(help_text="SHA-256 of its content.")
    labels = serializers.IntegerField()
    created_at = serializers.DateTimeField()


class NewGoldVersionSerializer(serializers.Serializer[GoldVersion]):
    version = serializers.CharField(help_text="Its name.")


class ReleaseSerializer(Fields):
    """A gold version as one file that others can load."""

    id = serializers.IntegerField(source="pk")
    version = serializers.CharField(source="version.name")
    licence = serializers.CharField()
    names = serializers.BooleanField()
    known = serializers.BooleanField(help_text="Whether it holds the responses of qualification and controls.")
    state = serializers.ChoiceField(Release.State.choices)
    error = serializers.CharField()
    written = serializers.IntegerField(help_text="Responses that are written.")
    total = serializers.IntegerField()
    hash = serializers.CharField(help_text="SHA-256 of the file; empty until it is made.")
    size = serializers.IntegerField(help_text="Of the file, in bytes.")
    created_at = serializers.DateTimeField()
    file = serializers.SerializerMethodField(help_text="Its address; null until it is made.")

    def get_file(self, release: Release) -> str | None:
        return reverse("api:release-file", args=[release.pk]) if release.state == Release.State.DONE else None


class NewReleaseSerializer(serializers.Serializer[Release]):
    version = serializers.CharField(max_length=100, help_text="The name of a gold version.")
    licence = serializers.CharField(max_length=LONGEST_LICENCE, required=False, allow_blank=True, default="")
    names = serializers.BooleanField(default=False, help_text="Name those who annotated and decided.")
    known = serializers.BooleanField(default=False, help_text="With the responses of qualification and controls.")
