"""What files of a dataset are asked for."""

from typing import Any

from rest_framework import serializers

from annotate.corpus.finding import STATES
from annotate.export.files import KINDS

# Labels have the names of everybody, to be imported again: they are for the command line alone.
FORMS = ("felm", "factscore", "claims", "csv", "gold", "annotations", "labelstudio", "inspect")


class ExportSerializer(serializers.Serializer[Any]):
    form = serializers.ChoiceField(
        FORMS, required=False, default="", help_text="As `export_dataset --format`; that of its scheme without it."
    )
    file_type = serializers.ChoiceField(
        [*KINDS], required=False, default="", help_text="Of `gold` and `annotations`; JSON lines without it."
    )
    text = serializers.CharField(
        required=False,
        default="",
        help_text="Only responses with these words in them or in their prompt, or this index.",
    )
    domain = serializers.CharField(required=False, default="", help_text="Only responses to prompts of this domain.")
    state = serializers.ChoiceField(
        [*STATES], required=False, default="", help_text="Only responses in this state of the work."
    )
    details = serializers.CharField(required=False, default="", help_text="Only responses with this text in details.")
    names = serializers.BooleanField(
        required=False, default=True, help_text="Annotators by their names, for adjudicators; else under pseudonyms."
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
