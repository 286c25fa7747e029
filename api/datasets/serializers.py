"""Datasets and guidelines as JSON."""

from rest_framework import serializers

from annotate.models import Dataset, DatasetDeletion, ReviewPolicy, Scheme
from api.rest.views import Fields


class DatasetSerializer(Fields):
    """A dataset that you may open."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    scheme = serializers.ChoiceField(Scheme.choices)
    description = serializers.CharField()
    review = serializers.ChoiceField(ReviewPolicy.choices, help_text="Reviews that a task needs before it is closed.")
    gold_revision = serializers.IntegerField(help_text="Counts the changes of gold.")
    sandbox = serializers.BooleanField(help_text="One person's own: nobody else joins it.")
    created_at = serializers.DateTimeField()
    archived_at = serializers.DateTimeField(allow_null=True, help_text="Since when it is only read; null: it is not.")


class NewDatasetSerializer(serializers.ModelSerializer[Dataset]):
    class Meta:
        model = Dataset
        fields = ("name", "scheme", "description", "sandbox")


class DatasetChangeSerializer(serializers.ModelSerializer[Dataset]):
    class Meta:
        model = Dataset
        fields = ("name", "description")


class DatasetNameSerializer(serializers.Serializer[Dataset]):
    name = serializers.CharField(help_text="The name of the dataset, so that none is deleted by mistake.")


class DeletionSerializer(Fields):
    """The deletion of a dataset."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField(help_text="Of the dataset.")
    state = serializers.ChoiceField(DatasetDeletion.State.choices)
    error = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
