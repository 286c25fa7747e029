"""The options of figures, as parameters of their addresses."""

from typing import Any

from rest_framework import serializers

from evaluators.across.board import FIGURES
from evaluators.comparison.question import FAMILIES, LEADER
from stats.detection import METRICS
from stats.estimated_factscore import FEWEST_FACTS, MOST_FACTS
from stats.f1_at_k import MOST_K, KChoice, parse_k


class AtKSerializer(serializers.Serializer[Any]):
    k = serializers.CharField(
        required=False,
        default=None,
        help_text=f"K of F1@K: 1 to {MOST_K}, median (the median claims of all responses) or domain (of each domain; "
        "the default).",
    )

    def validate_k(self, text: str | None) -> KChoice:
        try:
            return parse_k(text or "")
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from None


class EvaluatorsSerializer(serializers.Serializer[Any]):
    evaluator = serializers.ListField(
        child=serializers.CharField(), required=False, default=None, help_text="Only this one; may repeat."
    )


class GoldOptionsSerializer(EvaluatorsSerializer):
    gold_version = serializers.CharField(
        required=False, default=None, help_text="A frozen version; without it gold as it is."
    )


class ReportOptionsSerializer(GoldOptionsSerializer, AtKSerializer):
    """Of the report."""


class ComparisonOptionsSerializer(GoldOptionsSerializer):
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
    since = serializers.DateTimeField(
        required=False,
        default=None,
        help_text="`since` of an answer with 202: figures that were asked for then or later do too, also where gold or "
        "labels have changed meanwhile.",
    )


class LeaderboardsOptionsSerializer(serializers.Serializer[Any]):
    dataset = serializers.ListField(child=serializers.IntegerField(), help_text="The number of a dataset; may repeat.")
    figure = serializers.ChoiceField(list(FIGURES), required=False, default="f1", help_text="That is averaged.")


class SubjectsOptionsSerializer(EvaluatorsSerializer, AtKSerializer):
    length_penalty = serializers.BooleanField(
        required=False, default=False, help_text="Lower the score of short responses."
    )
    penalty_facts = serializers.IntegerField(
        required=False, default=FEWEST_FACTS, min_value=1, max_value=MOST_FACTS, help_text="Facts of a short response."
    )


class ComparisonProgressSerializer(serializers.Serializer[Any]):
    """A large comparison that a worker computes: ask again."""

    state = serializers.CharField(help_text="computing or failed.")
    since = serializers.DateTimeField(help_text="When the figures were asked for: send it with the next request.")
    step = serializers.CharField()
    done = serializers.IntegerField()
    steps = serializers.IntegerField()
    worker_alive = serializers.BooleanField()
    error = serializers.CharField()
