"""What files of a dataset are asked for."""

from typing import Any

from rest_framework import serializers

# Forms that hold what each annotator said are for the command line alone.
FORMS = ("felm", "factscore", "claims", "csv", "inspect")


class ExportSerializer(serializers.Serializer[Any]):
    form = serializers.ChoiceField(
        FORMS, required=False, default="", help_text="As `export_dataset --format`; that of its scheme without it."
    )
    subject = serializers.CharField(required=False, default="", help_text="Only this model's responses.")
    gold_version = serializers.CharField(
        required=False, default="", help_text="The name of a version; current gold without it."
    )


class UnitsTableSerializer(serializers.Serializer[Any]):
    evaluator = serializers.ListField(
        child=serializers.CharField(), required=False, default=list, help_text="Only this one; may repeat."
    )
    gold_version = serializers.CharField(
        required=False, default="", help_text="The name of a version; current gold without it."
    )


class ResultsSerializer(UnitsTableSerializer):
    answers = serializers.BooleanField(required=False, default=False, help_text="With the models' raw answers.")
    searches = serializers.BooleanField(
        required=False, default=False, help_text="With the searches of the web, their results and the pages read."
    )
