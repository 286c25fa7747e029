"""Webhooks and deliveries as JSON."""

from rest_framework import serializers

from api.models import Event, Webhook, WebhookDelivery
from api.rest.views import Fields
from api.webhooks.send import check_address
from knowledge.fetching.errors import FetchError


class WebhookSerializer(Fields):
    """An address that is told of events of its dataset."""

    id = serializers.IntegerField(source="pk")
    dataset = serializers.IntegerField(source="dataset_id")
    address = serializers.CharField()
    events = serializers.ListField(child=serializers.ChoiceField(Event.choices), source="event_names")
    is_on = serializers.BooleanField(help_text="Switched off, it records no event, and its messages wait.")
    created_at = serializers.DateTimeField()


class WebhookSecretSerializer(WebhookSerializer):
    """The webhook with its secret, which is in this answer only."""

    secret = serializers.CharField(read_only=True, help_text="With this key messages are signed.")


class WebhookChangeSerializer(serializers.ModelSerializer[Webhook]):
    """What can be set of a webhook."""

    address = serializers.CharField(max_length=2000)
    events = serializers.ListField(
        child=serializers.ChoiceField(Event.choices), allow_empty=False, max_length=len(Event)
    )

    class Meta:
        model = Webhook
        fields = ("address", "events", "is_on")

    def validate_address(self, value: str) -> str:
        try:
            return check_address(value)
        except FetchError as error:
            raise serializers.ValidationError(str(error)) from None


class NewWebhookSerializer(WebhookChangeSerializer):
    class Meta:
        model = Webhook
        fields = ("address", "events")


class DeliverySerializer(Fields):
    """A message to a webhook."""

    id = serializers.IntegerField(source="pk")
    message_id = serializers.UUIDField(help_text="The header webhook-id: the same at every attempt.")
    webhook = serializers.IntegerField(source="webhook_id")
    event = serializers.ChoiceField(Event.choices)
    state = serializers.ChoiceField(WebhookDelivery.State.choices)
    attempts = serializers.IntegerField()
    status = serializers.IntegerField(allow_null=True, help_text="Of the last answer; null: there was none.")
    error = serializers.CharField(help_text="Why the last attempt failed.")
    created_at = serializers.DateTimeField()
    not_before = serializers.DateTimeField(allow_null=True, help_text="When the next attempt is due.")
    settled_at = serializers.DateTimeField(allow_null=True)
    body = serializers.CharField(help_text="The message, as it is sent: JSON.")
