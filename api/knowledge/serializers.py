"""Sources, documents, passages and links as JSON."""

from typing import Any

from rest_framework import serializers

from annotate.evidence.tokenizers import NAMES as TOKENIZERS
from annotate.links.table import CONDITIONS
from annotate.models import DocumentUpload, ReferenceLink, Stance
from annotate.people.names import Names
from api.rest.views import Fields

CONDITION_CHOICES = list(CONDITIONS.items())
LARGEST_K = 50


class SourceSerializer(Fields):
    """A knowledge source that the dataset may read."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    description = serializers.CharField(allow_blank=True)
    tokenizer = serializers.CharField(help_text="How its documents are cut into passages.")
    shared = serializers.BooleanField(help_text="Every dataset may read it.")
    used_by = serializers.IntegerField(help_text="Datasets that are judged by it.")


class ChosenSourceSerializer(Fields):
    """The source that the dataset is judged by, with its sizes; each null where there is none."""

    source = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    documents = serializers.IntegerField(allow_null=True)
    passages = serializers.IntegerField(allow_null=True)
    datasets = serializers.IntegerField(allow_null=True)


class SourceChoiceSerializer(serializers.Serializer[Any]):
    source = serializers.CharField(  # type: ignore[assignment]
        max_length=100, allow_null=True, help_text="Its name; null: the texts that come with the responses."
    )


class DocumentUploadSerializer(Fields):
    """A file of documents on its way into a source."""

    id = serializers.IntegerField(source="pk")
    state = serializers.ChoiceField(DocumentUpload.State.choices)
    file_name = serializers.CharField()
    source_name = serializers.CharField()
    written = serializers.IntegerField(help_text="Documents so far.")
    total = serializers.IntegerField(help_text="0: the file is still being checked.")
    created = serializers.IntegerField()
    unchanged = serializers.IntegerField()
    error = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()


class NewDocumentsSerializer(serializers.Serializer[DocumentUpload]):
    file = serializers.FileField(
        required=False, help_text="JSON lines, a dump in SQLite, or one document as text, HTML or PDF."
    )
    dump = serializers.CharField(required=False, help_text="In place of a file the name of a dump on the server.")
    topics_only = serializers.BooleanField(default=False, help_text="Only the pages of the dataset's topics.")
    name = serializers.CharField(max_length=100, help_text="Of the source; a new name makes one.")
    tokenizer = serializers.ChoiceField(list(TOKENIZERS.items()), required=False)


class PassageQuerySerializer(serializers.Serializer[Any]):
    query = serializers.CharField()
    k = serializers.IntegerField(min_value=1, max_value=LARGEST_K, default=8)


class PassageSerializer(Fields):
    document = serializers.IntegerField()
    title = serializers.CharField(allow_blank=True)
    url = serializers.CharField(allow_blank=True)
    position = serializers.IntegerField(help_text="Of the passage in its document, from 0.")
    text = serializers.CharField()


class PassagesSerializer(Fields):
    """The best passages, best first."""

    results = PassageSerializer(many=True)


class DocumentSerializer(Fields):
    """A whole document of the dataset's source."""

    id = serializers.IntegerField(source="pk")
    title = serializers.CharField()
    url = serializers.CharField(allow_blank=True)
    published = serializers.DateField(allow_null=True)
    text = serializers.CharField()


class LinkSerializer(Fields):
    """A link that a label in force or current gold cites."""

    id = serializers.IntegerField(source="pk")
    url = serializers.CharField(allow_null=True)
    title = serializers.SerializerMethodField(help_text="Of the document or the frozen page.")
    quote = serializers.CharField(allow_blank=True)
    quote_found = serializers.BooleanField(allow_null=True)
    stance = serializers.ChoiceField(Stance.choices, allow_blank=True)
    condition = serializers.ChoiceField(CONDITION_CHOICES)
    document = serializers.IntegerField(source="document_id", allow_null=True)
    snapshot = serializers.IntegerField(source="snapshot_id", allow_null=True)
    response = serializers.IntegerField(source="owner.segment.response_id")
    segment = serializers.IntegerField(source="owner.segment_id")
    fact = serializers.IntegerField(source="owner.fact_id", allow_null=True)
    annotator = serializers.SerializerMethodField(help_text="Who labelled; null: the link is of gold.")

    def get_title(self, link: ReferenceLink) -> str:
        titled = link.document or link.snapshot
        return titled.title if titled else ""

    def get_annotator(self, link: ReferenceLink) -> str | None:
        names: Names = self.context["names"]
        return names.of(link.label.assignment.annotator) if link.label else None


class RequestedPagesSerializer(Fields):
    requested = serializers.IntegerField(help_text="Links whose pages are fetched now.")
