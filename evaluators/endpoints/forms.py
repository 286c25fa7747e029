"""An administrator's forms of an endpoint's prices and probes."""

from typing import Any

from django import forms
from django.core.validators import MinValueValidator
from django.db.models import Q

from annotate.grants.allowances import set_allowance
from annotate.models import Allowance, Dataset, EndpointGrant, Role, User
from llm.models import Endpoint, Price


class PriceForm(forms.Form):
    model = forms.CharField(max_length=200)
    prompt_usd = forms.DecimalField(
        label="Prompt",
        max_digits=10,
        decimal_places=4,
        validators=[MinValueValidator(0)],
        help_text="$ per million tokens.",
    )
    completion_usd = forms.DecimalField(
        label="Answer",
        max_digits=10,
        decimal_places=4,
        validators=[MinValueValidator(0)],
        help_text="$ per million tokens.",
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


class AllowanceForm(forms.Form):
    """A limit of spending of the dataset, or of somebody who evaluates in it."""

    person = forms.ModelChoiceField(User.objects.none(), label="Person", required=False, empty_label="Everybody")
    limit = forms.DecimalField(
        label="US dollars",
        min_value=0,
        max_digits=12,
        decimal_places=6,
        help_text="Spending counts from when a limit is set. Changing a limit keeps the count.",
    )

    def __init__(self, dataset: Dataset, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._dataset = dataset
        evaluate = dataset.memberships.filter(role__in=(Role.ADJUDICATOR, Role.RESEARCHER)).values("user")
        people = User.objects.filter(Q(pk__in=evaluate) | Q(is_superuser=True)).order_by("username")
        self.fields["person"].queryset = people  # type: ignore[attr-defined]

    def save(self) -> Allowance:
        return set_allowance(self._dataset, self.cleaned_data["person"], self.cleaned_data["limit"])


class ProbeForm(forms.Form):
    model = forms.CharField(max_length=200)
