"""The form of a webhook."""

from django import forms

from api.models import Event, Webhook
from api.webhooks.send import check_address
from knowledge.fetching.errors import FetchError


class WebhookForm(forms.ModelForm):  # type: ignore[type-arg]
    address = forms.CharField(
        max_length=2000, label="Address", widget=forms.URLInput, help_text="It begins with https:// in general."
    )
    events = forms.MultipleChoiceField(
        choices=Event.choices, initial=Event.values, widget=forms.CheckboxSelectMultiple, label="Events"
    )

    class Meta:
        model = Webhook
        fields = ("address", "events")

    def clean_address(self) -> str:
        try:
            return check_address(self.cleaned_data["address"])
        except FetchError as error:
            raise forms.ValidationError(str(error)) from None


class WebhookChangeForm(WebhookForm):
    class Meta:
        model = Webhook
        fields = ("address", "events", "is_on")
        labels = {"is_on": "Switched on"}
        help_texts = {"is_on": "Switched off, it records no event, and its messages wait."}
