"""An administrator's forms of an endpoint."""

from django import forms
from django.core.validators import MinValueValidator

from llm.models import Endpoint, Price


class EndpointForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Endpoint
        fields = [
            "name",
            "base_url",
            "key_variable",
            "max_in_flight",
            "requests_per_minute",
            "tokens_per_minute",
        ]
        labels = {"base_url": "Address", "max_in_flight": "Calls in flight"}
        help_texts = {
            "name": "What runs call it by, in the parameter endpoint.",
            "key_variable": "The environment variable that holds the key, such as TOUCHSTONE_KEY_LOCAL. "
            "The key itself is never stored.",
            "base_url": "Up to the version, such as https://models.example/v1.",
            "max_in_flight": "At most, of all workers together. Empty: no limit but the run's own.",
            "requests_per_minute": "Of all workers together. Empty: no limit.",
            "tokens_per_minute": "Of prompts and answers. Empty: no limit.",
        }


class PriceForm(forms.Form):
    model = forms.CharField(max_length=200)
    prompt_usd = forms.DecimalField(
        label="Prompt",
        max_digits=10,
        decimal_places=4,
        validators=[MinValueValidator(0)],
        help_text="$ a million tokens.",
    )
    completion_usd = forms.DecimalField(
        label="Answer",
        max_digits=10,
        decimal_places=4,
        validators=[MinValueValidator(0)],
        help_text="$ a million tokens.",
    )

    def save(self, endpoint: Endpoint) -> Price:
        """In place of the model's price so far, if it has one. Earlier calls keep their price."""
        cleaned = self.cleaned_data
        price, _ = Price.objects.update_or_create(
            endpoint=endpoint,
            model=cleaned["model"],
            defaults={"prompt_usd": cleaned["prompt_usd"], "completion_usd": cleaned["completion_usd"]},
        )
        return price


class ProbeForm(forms.Form):
    model = forms.CharField(max_length=200)
