"""An administrator's forms of an endpoint's prices and probes."""

from django import forms
from django.core.validators import MinValueValidator

from llm.models import Endpoint, Price


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
