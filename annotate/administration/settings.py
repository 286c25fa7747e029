"""The settings of a dataset, as its adjudicators choose them."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.core.validators import MinValueValidator
from django.db import transaction
from django.utils.safestring import SafeString

from annotate.cases.close import close_settled
from annotate.models import Dataset, ReviewPolicy, Scheme, Task

MOST_CONTROL = 0.5


def settings_of(dataset: Dataset) -> dict[str, Any]:
    """By the name of the field."""
    form = SettingsForm(instance=dataset)
    return {name: form.initial[name] for name in form.fields}


def changed_form(dataset: Dataset, changes: Mapping[str, Any]) -> "SettingsForm":
    """The form in which only these settings differ from those of the dataset."""
    before = settings_of(dataset)
    first = {f"initial-{name}": value for name, value in before.items()}
    return SettingsForm({**first, **before, **changes}, instance=dataset)


class SettingsForm(forms.ModelForm):  # type: ignore[type-arg]
    """What an error needs, rebuttal, review policy, hourly rate, pass mark and share of controls; empty is "none" for
    rate and mark. A type is asked for in FELM only.

    Beside each field its page posts the value of its first display, with which changes are compared.
    """

    review = forms.ChoiceField(choices=ReviewPolicy.choices, widget=forms.RadioSelect)
    hourly_rate = forms.DecimalField(
        max_digits=8, decimal_places=2, required=False, validators=[MinValueValidator(Decimal(0))]
    )
    qualification_pass = forms.FloatField(min_value=0, max_value=1, required=False)
    control_share = forms.FloatField(min_value=0, max_value=MOST_CONTROL)

    class Meta:
        model = Dataset
        fields = (
            "type_required",
            "reason_required",
            "no_claim_is_irrelevant",
            "rebuttal",
            "review",
            "hourly_rate",
            "qualification_pass",
            "control_share",
        )

    def __init__(self, *args, **kwargs) -> None:  # type: ignore[no-untyped-def]
        super().__init__(*args, **kwargs)
        if self.instance.scheme != Scheme.FELM:
            del self.fields["type_required"]
        if self.instance.scheme == Scheme.FACTSCORE:
            del self.fields["no_claim_is_irrelevant"]
        for field in self.fields.values():
            field.show_hidden_initial = True
        for name, step in (("hourly_rate", "0.01"), ("qualification_pass", "any"), ("control_share", "any")):
            self.fields[name].widget.attrs["step"] = step

    def review_at_first(self) -> SafeString:
        """The hidden field of the review policy, whose visible ones are written one by one."""
        return self["review"].as_hidden(only_initial=True)

    @transaction.atomic
    def store(self) -> None:
        """Write only the fields changed on the page: another page may have changed the rest since, and gold
        may be changing at the same moment.

        Tasks that lacked only signatures no longer asked for are closed.
        """
        self.instance.save(update_fields=self.changed_data)
        self.instance.refresh_from_db()
        close_settled(self.instance, Task.objects.filter(dataset=self.instance))
