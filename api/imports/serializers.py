"""Files on their way into a dataset as JSON."""

from typing import Any

from rest_framework import serializers

from annotate.corpus.forms import FORMAT_CHOICES, SENTENCE_CHOICES
from annotate.models import Upload
from api.rest.views import Fields
from jobs.progress import is_not_picked_up

CHECKED = "checked"
NOTHING: dict[str, Any] = {
    "created": 0,
    "unchanged": 0,
    "makes_dataset": False,
    "place": "line",
    "refused": [],
    "warnings": [],
    "warning_count": 0,
    "rows": [],
    "mapped": None,
}


class CheckedClaimSerializer(Fields):
    text = serializers.CharField()
    value = serializers.CharField(allow_null=True, help_text="The gold that it gets.")
    said = serializers.CharField(allow_blank=True, help_text="Without gold: what the file says of it.")
    evidence = serializers.IntegerField()


class CheckedSegmentSerializer(Fields):
    text = serializers.CharField()
    value = serializers.CharField(allow_null=True, help_text="The label that it came with.")
    facts = serializers.IntegerField()
    claims = CheckedClaimSerializer(many=True, help_text="Of a file that a recipe maps; else empty.")


class CheckedRowSerializer(Fields):
    index = serializers.CharField(allow_null=True)
    prompt = serializers.CharField()
    domain = serializers.CharField(allow_blank=True)
    segments = CheckedSegmentSerializer(many=True)
    references = serializers.IntegerField()


class ImportWarningSerializer(Fields):
    line = serializers.IntegerField()
    message = serializers.CharField()


class RefusedSerializer(Fields):
    """Rows that cannot be taken and are skipped, alike in their fault."""

    kind = serializers.CharField()
    count = serializers.IntegerField()
    rows = serializers.ListField(child=serializers.IntegerField(), help_text="The numbers of the first 50.")
    cause = serializers.CharField(help_text="Of the first.")
    said = serializers.CharField(allow_null=True, help_text="The label that the recipe does not name.")


class MappedSerializer(Fields):
    """What a recipe makes of the whole file."""

    units = serializers.IntegerField(help_text="Claims or segments.")
    outcomes = serializers.DictField(child=serializers.IntegerField(), help_text="How many have which outcome.")
    claims = serializers.IntegerField(help_text="Claims that came without their sentences.")
    aligned = serializers.IntegerField(help_text="Those of them that have a sentence now.")
    share_aligned = serializers.FloatField(allow_null=True, help_text="0 to 1.")
    evidence = serializers.IntegerField(help_text="Evidence of judgements.")
    references = serializers.IntegerField(help_text="Evidence of responses.")
    passages = serializers.IntegerField(help_text="Passages of claims against a source, each claim's counted.")
    unread = serializers.ListField(
        child=serializers.CharField(), help_text="Keys of the first 200 rows that are not read, but kept as details."
    )


class ImportReportSerializer(Fields):
    """The check of the file."""

    created = serializers.IntegerField(help_text="Responses that are new.")
    unchanged = serializers.IntegerField(help_text="Responses that the dataset has already.")
    makes_dataset = serializers.BooleanField()
    place = serializers.CharField(help_text="The word for the number of a row: line or row.")
    refused = RefusedSerializer(many=True, help_text="With skip: what is left out.")
    warnings = ImportWarningSerializer(many=True, help_text="The first 50.")
    warning_count = serializers.IntegerField()
    rows = CheckedRowSerializer(many=True, help_text="The first ten.")
    mapped = MappedSerializer(allow_null=True, help_text="With a recipe.")

    def to_representation(self, instance: dict[str, Any]) -> dict[str, Any]:
        """One that came before its check has nothing yet."""
        return super().to_representation({**NOTHING, **instance})


class ImportListSerializer(Fields):
    """A file that you sent, without its report."""

    id = serializers.IntegerField(source="pk")
    state = serializers.SerializerMethodField(help_text="checked: it waits for its confirmation.")
    file_name = serializers.CharField()
    dataset_name = serializers.CharField()
    dataset = serializers.IntegerField(source="dataset_id", allow_null=True, help_text="Once it is done.")
    format = serializers.ChoiceField(FORMAT_CHOICES)
    subject = serializers.CharField(allow_blank=True)
    sentences = serializers.ChoiceField(SENTENCE_CHOICES, help_text="How responses without segments are split.")
    progress = serializers.FloatField(source="share", help_text="The share that is written, 0 to 1.")
    error = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()

    def get_state(self, upload: Upload) -> str:
        return CHECKED if upload.confirmed_at is None else upload.state


class ImportSerializer(ImportListSerializer):
    """A file that was checked, and its import once it is confirmed."""

    written = serializers.IntegerField(help_text="Responses written so far; none is visible before all are.")
    not_picked_up = serializers.SerializerMethodField(help_text="No worker took it up for a while.")
    recipe = serializers.JSONField(allow_null=True, help_text="The recipe by which it is read.")
    report = ImportReportSerializer(source="preview")

    def get_not_picked_up(self, upload: Upload) -> bool:
        return upload.confirmed_at is not None and is_not_picked_up(upload)


class FileIntoDatasetSerializer(serializers.Serializer[Upload]):
    file = serializers.FileField(help_text="JSON lines, a JSON array, CSV or Parquet, or a zip of a folder of them.")
    format = serializers.ChoiceField(FORMAT_CHOICES)
    subject = serializers.CharField(required=False, help_text="The model that wrote the responses.")
    recipe = serializers.CharField(
        required=False, help_text="With the format mapped: the name of a recipe, or a recipe as JSON."
    )
    sentences = serializers.ChoiceField(
        SENTENCE_CHOICES, required=False, help_text="How responses without segments are split: repaired without it."
    )
    skip = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="Kinds of rows that cannot be taken and are left out, or all: without it such rows are errors.",
    )


class NewImportSerializer(FileIntoDatasetSerializer):
    dataset_name = serializers.CharField(help_text="A new name creates a dataset.")
