"""The fields of a budget."""

from decimal import Decimal

from django import forms

from core.form_fields import NumberField
from jobs.limits import Limits
from jobs.models import Budgeted


class LimitsForm(forms.Form):
    """The limits of a job's calls."""

    max_tokens_total = NumberField(
        required=False,
        min_value=1,
        label="Stop before so many tokens",
        help_text="Of calls of its own. Empty: no limit.",
    )
    max_cost = forms.DecimalField(
        required=False,
        min_value=Decimal("0.000001"),
        max_digits=12,
        decimal_places=6,
        label="Stop before so many US dollars",
        help_text="Of calls of its own. Empty: no limit.",
    )

    @classmethod
    def of(cls, work: Budgeted) -> "LimitsForm":
        """Filled with the work's own limits."""
        return cls(initial={"max_tokens_total": work.max_tokens, "max_cost": work.max_cost_usd})

    def limits(self) -> Limits:
        return Limits(self.cleaned_data.get("max_tokens_total"), self.cleaned_data.get("max_cost"))
