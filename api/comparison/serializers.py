"""The options of figures, as parameters of their addresses."""

from typing import Any

from rest_framework import serializers

from evaluators.comparison.question import FAMILIES, LEADER
from stats.detection import METRICS


class EvaluatorsSerializer(serializers.Serializer[Any]):
    evaluator = serializers.ListField(
        child=serializers.CharField(), required=False, default=None, help_text="Only this one; may repeat."
    )


class ReportOptionsSerializer(EvaluatorsSerializer):
    gold_version = serializers.CharField(
        required=False, default=None, help_text="A frozen version; without it gold as it is."
    )


class ComparisonOptionsSerializer(ReportOptionsSerializer):
    level = serializers.CharField(
        required=False, default="", help_text="segment, fact or response; without it the level of labels."
    )
    by = serializers.CharField(
        required=False, default="", help_text="The slicing: domain, subject, …; without it domain or subject."
    )
    slice = serializers.ListField(
        child=serializers.CharField(), required=False, default=list, help_text="Only its units; may repeat."
    )
    figure = serializers.ChoiceField(list(METRICS), required=False, default="f1", help_text="Of pairs and ranks.")
    family = serializers.ChoiceField(
        list(FAMILIES), required=False, default=LEADER, help_text="The pairs that are tested together."
    )


class SubjectsOptionsSerializer(EvaluatorsSerializer):
    length_penalty = serializers.BooleanField(
        required=False, default=False, help_text="Lower the score of short responses."
    )


class ComparisonProgressSerializer(serializers.Serializer[Any]):
    """A large comparison that a worker computes: ask again."""

    state = serializers.CharField(help_text="computing or failed.")
    step = serializers.CharField()
    done = serializers.IntegerField()
    steps = serializers.IntegerField()
    worker_alive = serializers.BooleanField()
    error = serializers.CharField()
