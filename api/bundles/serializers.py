"""Imports of results bundles as JSON."""

from rest_framework import serializers

from api.rest.views import Fields
from evaluators.bundle.views import LONGEST_SUFFIX
from evaluators.models import ResultsUpload
from jobs.progress import is_not_picked_up


class ResultsReportSerializer(serializers.Serializer[ResultsUpload]):
    """What came of an import."""

    runs = serializers.ListField(child=serializers.IntegerField(), help_text="The runs that were made, by their ids.")
    unchanged = serializers.IntegerField(help_text="Runs that were here already.")
    other_gold = serializers.BooleanField(help_text="Whether gold here is not that of the bundle's figures.")
    differences = serializers.ListField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="Figures that differ here, in words; empty: none does; null: other gold makes them differ.",
    )


class ResultsImportSerializer(Fields):
    """A results bundle that was sent for a dataset."""

    id = serializers.IntegerField(source="pk")
    state = serializers.ChoiceField(ResultsUpload.State.choices)
    dataset = serializers.IntegerField(source="dataset_id")
    file_name = serializers.CharField()
    suffix = serializers.CharField()
    not_picked_up = serializers.SerializerMethodField(help_text="No worker took it up for a while.")
    error = serializers.CharField(help_text="Why it failed; nothing is imported then.")
    created_at = serializers.DateTimeField()
    report = ResultsReportSerializer(allow_null=True, help_text="Once it is done.")

    def get_not_picked_up(self, upload: ResultsUpload) -> bool:
        return is_not_picked_up(upload)


class NewResultsSerializer(serializers.Serializer[ResultsUpload]):
    file = serializers.FileField(help_text="A zip file that the address results/ or the page exported.")
    suffix = serializers.CharField(
        max_length=LONGEST_SUFFIX,
        required=False,
        help_text="Added to the names of evaluators, where others of these names have runs here.",
    )
    other_gold = serializers.BooleanField(required=False, help_text="Import the runs even if gold differs.")
