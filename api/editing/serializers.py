"""Edits, and samples of edits, as JSON."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from annotate.samples.results import QuestionFigures
from api.rest.views import Fields
from core.numbers import LARGEST_NUMBER
from evaluators.editing.forms import RATERS, SIZE
from evaluators.editing.read import SHOWN, STATES
from ratings.draw import MOST_RATERS
from stats.proportions import Proportion


class EditedFactSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    supported = serializers.BooleanField(help_text="By the labels that the run went by.")


class EditSerializer(Fields):
    """A sentence before and after editing."""

    id = serializers.IntegerField()
    index = serializers.CharField(help_text="Of the response.")
    subject = serializers.CharField(help_text="The model that wrote the response.")
    sentence = serializers.IntegerField(help_text="Counts from 0.")
    editor = serializers.CharField()
    state = serializers.ChoiceField(STATES)
    before = serializers.CharField()
    after = serializers.CharField(allow_null=True, help_text="null: it could not be parsed; empty: taken out.")
    correction = serializers.CharField(allow_null=True, help_text="People's; null: nobody corrected it.")
    facts = EditedFactSerializer(many=True)
    accepted = serializers.BooleanField(allow_null=True, help_text="By raters or settled; null: not decided.")


class EditFilterSerializer(serializers.Serializer[Any]):
    show = serializers.ChoiceField(
        list(SHOWN), required=False, default="", help_text="Changed, corrected by people, or unparsed."
    )


class EditingReportOptionsSerializer(serializers.Serializer[Any]):
    editor = serializers.ListField(
        child=serializers.CharField(), required=False, default=list, help_text="Only this one; may repeat."
    )
    after = serializers.IntegerField(
        required=False,
        default=None,
        min_value=1,
        max_value=LARGEST_NUMBER,
        help_text="Dataset of the edited responses: the share of facts supported before and after.",
    )


class NewEditSampleSerializer(serializers.Serializer[Any]):
    """A sample of the run's changed sentences."""

    size = serializers.IntegerField(required=False, default=SIZE, min_value=1, max_value=LARGEST_NUMBER)
    raters = serializers.IntegerField(required=False, default=RATERS, min_value=1, max_value=MOST_RATERS)
    seed = serializers.IntegerField(
        required=False,
        default=None,
        allow_null=True,
        min_value=0,
        max_value=LARGEST_NUMBER,
        help_text="Without one it is drawn for you, and kept.",
    )


class EditSampleListSerializer(Fields):
    """A sample of a run's changed sentences, which people accept or reject on its page."""

    id = serializers.IntegerField(source="pk")
    run = serializers.IntegerField(source="run_id")
    size = serializers.IntegerField()
    population = serializers.IntegerField(help_text="Changed sentences that it was drawn from.")
    raters = serializers.IntegerField(help_text="People who rate each.")
    seed = serializers.IntegerField()
    ratings = serializers.IntegerField(source="rated", help_text="That are in.")
    created_at = serializers.DateTimeField()


class ShareSerializer(serializers.Serializer[Any]):
    """hits of n, with Wilson's 95 % interval; value and interval: null where n is 0."""

    hits = serializers.IntegerField()
    n = serializers.IntegerField()
    value = serializers.FloatField(allow_null=True)
    interval = serializers.ListField(child=serializers.FloatField(), allow_null=True)

    def to_representation(self, instance: Proportion) -> dict[str, Any]:
        interval = None if instance.interval is None else list(instance.interval)
        return {"hits": instance.hits, "n": instance.n, "value": instance.value, "interval": interval}


class AgreementSerializer(serializers.Serializer[Any]):
    value = serializers.FloatField(allow_null=True)
    interval = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    why = serializers.CharField(help_text="Why it is undefined; empty: it is not.")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        interval = None if instance.interval is None else instance.interval.ends()
        return {"value": instance.value, "interval": interval, "why": instance.why}


class QuestionSerializer(serializers.Serializer[Any]):
    """A question as the raters answered it, before anything was settled."""

    title = serializers.CharField()
    majority = ShareSerializer(help_text="More raters say yes than no.")
    unanimous = ShareSerializer(help_text="All raters say yes.")
    tied = serializers.IntegerField()
    agreement = serializers.SerializerMethodField()

    @extend_schema_field(serializers.DictField(child=AgreementSerializer()))
    def get_agreement(self, question: QuestionFigures) -> dict[str, Any]:
        return {name: AgreementSerializer(each).data for name, each in question.agreement.items()}


class EditResultsSerializer(serializers.Serializer[Any]):
    accepted = ShareSerializer(help_text="Of the decided edits.")
    unsettled = serializers.IntegerField(help_text="Edits on which raters differ and that nobody settled.")
    questions = QuestionSerializer(many=True)


class EditSampleSerializer(serializers.Serializer[Any]):
    """A sample with its progress; ratings stay hidden until all are in."""

    id = serializers.IntegerField(source="sample.pk")
    run = serializers.IntegerField(source="sample.run_id")
    size = serializers.IntegerField(source="sample.size")
    population = serializers.IntegerField(source="sample.population")
    raters = serializers.IntegerField(source="sample.raters")
    seed = serializers.IntegerField(source="sample.seed")
    ratings = serializers.IntegerField(source="progress.rated", help_text="That are in.")
    wanted = serializers.IntegerField(source="progress.wanted")
    created_at = serializers.DateTimeField(source="sample.created_at")
    results = EditResultsSerializer(allow_null=True, help_text="null: ratings are missing.")
