"""Responses and prompts as JSON. Rows of responses are made in api/responses/rows.py; here stands their contract."""

from rest_framework import serializers

from annotate.corpus.finding import STATES
from annotate.models import CollectedPrompt
from api.rest.views import Fields

STATE_CHOICES = list(STATES.items())


class FactOfSegmentSerializer(Fields):
    id = serializers.IntegerField()
    position = serializers.IntegerField(help_text="From 0, within the segment.")
    text = serializers.CharField()


class ClaimPassageSerializer(Fields):
    title = serializers.CharField(help_text="Empty: the file says none.")
    url = serializers.CharField(help_text="Empty: the file says none.")
    text = serializers.CharField()


class SegmentSerializer(Fields):
    id = serializers.IntegerField()
    position = serializers.IntegerField(help_text="From 0, within the response.")
    text = serializers.CharField()
    start = serializers.IntegerField(
        allow_null=True, help_text="First character in the response; null: the text is not found there."
    )
    end = serializers.IntegerField(allow_null=True, help_text="The character after its last.")
    relevant = serializers.BooleanField()
    facts = FactOfSegmentSerializer(many=True, help_text="The atomic facts that are judged.")
    passages = ClaimPassageSerializer(many=True, help_text="What a claim is judged by; empty in other schemes.")


class ResponseSerializer(Fields):
    """A response with what is judged in it."""

    id = serializers.IntegerField()
    index = serializers.CharField(help_text="Its key in the file.")
    position = serializers.IntegerField(help_text="From 0, within the dataset.")
    domain = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    topic = serializers.CharField()
    frequency = serializers.CharField()
    nationality = serializers.CharField()
    subject = serializers.CharField(help_text="The model that wrote it.")
    prompt = serializers.CharField()
    response = serializers.CharField()
    abstained = serializers.BooleanField()
    state = serializers.ChoiceField(STATE_CHOICES)
    details = serializers.DictField(
        allow_null=True, help_text="What was not read of its row, by key, as text in Parquet; null: nothing."
    )
    segments = SegmentSerializer(many=True)


class ImportedLinkSerializer(Fields):
    """A source that came with the response."""

    url = serializers.CharField(allow_null=True)
    content = serializers.CharField(allow_null=True)


class WholeResponseSerializer(ResponseSerializer):
    """The same with its sources and the other answers of its model."""

    dataset = serializers.IntegerField()
    references = ImportedLinkSerializer(many=True)
    samples = serializers.ListField(
        child=serializers.CharField(), help_text="Other answers of the same model to the same prompt."
    )


class PromptSerializer(Fields):
    """A prompt that is collected to be answered."""

    id = serializers.IntegerField(source="pk")
    position = serializers.IntegerField()
    text = serializers.CharField()
    domain = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    topic = serializers.CharField()
    frequency = serializers.CharField()
    nationality = serializers.CharField()
    origin = serializers.ChoiceField(CollectedPrompt.Origin.choices)
    created_at = serializers.DateTimeField()


class PromptsFileSerializer(serializers.Serializer[None]):
    file = serializers.FileField(help_text="Prompts as JSON lines.")


class ReferenceListsFileSerializer(serializers.Serializer[None]):
    file = serializers.FileField(help_text="Lists as JSON lines: topic or prompt, and facts.")
    replace = serializers.BooleanField(
        required=False, default=False, help_text="Replace other lists that prompts have; else these are refused."
    )


class ReferenceListSerializer(Fields):
    """The facts that a complete answer to a prompt states."""

    prompt = serializers.CharField(source="text")
    topic = serializers.CharField()
    facts = serializers.ListField(child=serializers.CharField(), source="reference_facts")


class PromptsImportedSerializer(Fields):
    created = serializers.IntegerField()
    unchanged = serializers.IntegerField()


class ReferenceListsImportedSerializer(PromptsImportedSerializer):
    replaced = serializers.ListField(
        child=serializers.CharField(), help_text="Topics or texts of prompts whose other list was replaced."
    )
