"""Guidelines and settings as JSON."""

from typing import Any

from rest_framework import serializers

from annotate.administration.settings import MOST_CONTROL
from annotate.models import Guideline, ReviewPolicy, Suggesting
from annotate.suggestions.setting import MOST_WITHHELD
from api.rest.views import Fields


class GuidelineSerializer(Fields):
    """A version of the guidelines."""

    version = serializers.IntegerField()
    text = serializers.CharField(help_text="Markdown.")
    created_at = serializers.DateTimeField()


class NewGuidelineSerializer(serializers.Serializer[Guideline]):
    text = serializers.CharField()
    since = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, help_text="The version that the text was written from; 0: there was none."
    )


class SettingsSerializer(serializers.Serializer[Any]):
    """The settings of a dataset, as on the page of settings."""

    type_required = serializers.BooleanField(required=False, help_text="An error needs its type; FELM only.")
    reason_required = serializers.BooleanField(help_text="An error needs a reason.")
    no_claim_is_irrelevant = serializers.BooleanField(
        required=False, help_text="A unit marked “no claim here” needs no label; not FActScore."
    )
    rebuttal = serializers.BooleanField(help_text="Annotators see each other's evidence and may revise once.")
    review = serializers.ChoiceField(ReviewPolicy.choices)
    hourly_rate = serializers.DecimalField(max_digits=8, decimal_places=2, min_value=0, allow_null=True)
    qualification_pass = serializers.FloatField(min_value=0, max_value=1, allow_null=True)
    control_share = serializers.FloatField(min_value=0, max_value=MOST_CONTROL)

    def validate(self, sent: dict[str, Any]) -> dict[str, Any]:
        names = self.context["names"]
        unknown = {name: ["This dataset has no such setting."] for name in self.initial_data if name not in names}
        if unknown:
            raise serializers.ValidationError(unknown)
        return sent


class SuggestionsSerializer(serializers.Serializer[Any]):
    """Whether annotators see what a run says of units."""

    suggesting = serializers.ChoiceField(
        Suggesting.choices, help_text="Before or after their own label. Before biases labels towards the run."
    )
    suggestion_run = serializers.IntegerField(
        allow_null=True, help_text="A finished run over the dataset, not archived; null: none."
    )
    suggestion_withheld = serializers.FloatField(
        min_value=0, max_value=MOST_WITHHELD, help_text="The share of tasks without suggestions."
    )
