"""An administrator's forms of an endpoint's prices and probes."""

from typing import Any

from django import forms
from django.core.validators import MinValueValidator

from annotate.models import Dataset, EndpointGrant, Role, User
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


class GrantForm(forms.Form):
    """The dataset that is to use the endpoint: one of those where the person evaluates."""

    dataset = forms.ModelChoiceField(Dataset.objects.none(), empty_label=None)

    def __init__(self, user: User, endpoint: Endpoint, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        granted = EndpointGrant.objects.filter(endpoint=endpoint).values("dataset")
        choices = Dataset.objects.of(user, Role.ADJUDICATOR, Role.RESEARCHER).exclude(pk__in=granted)
        self.fields["dataset"].queryset = choices  # type: ignore[attr-defined]


class ProbeForm(forms.Form):
    model = forms.CharField(max_length=200)
