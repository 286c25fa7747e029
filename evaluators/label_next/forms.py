"""The forms of the page "Label next": a new plan, and the next draw."""

from collections.abc import Sequence

from django import forms
from django.http import QueryDict

from annotate.models import Dataset, Role
from core.form_fields import NumberField, SeedField
from stats.detection import METRICS
from stats.drawn_labels import RATIOS

FIGURES = [(name, METRICS[name].title) for name in METRICS if name in RATIOS]
FIRST_DRAW, MOST = 30, 10_000


class PlanForm(forms.Form):
    """The evaluator and the figure that the labels are to tell most about."""

    evaluator = forms.ChoiceField()
    figure = forms.ChoiceField(choices=FIGURES, initial="f1")
    seed = SeedField(help_text="Empty: random, and stored.")

    def __init__(self, names: Sequence[str], data: QueryDict | None = None, first: str = "") -> None:
        super().__init__(data, initial={"evaluator": first})
        field = self.fields["evaluator"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - tells the type checker
        field.choices = [(name, name) for name in names]


class DrawLabelsForm(forms.Form):
    """How many more prompts are drawn on average, and who labels them."""

    more = NumberField(min_value=1, max_value=MOST)
    annotators = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple)

    def __init__(self, dataset: Dataset, more: int, data: QueryDict | None = None) -> None:
        super().__init__(data, initial={"more": more})
        members = dataset.memberships.filter(role=Role.ANNOTATOR, user__is_superuser=False)
        names = list(members.order_by("user__username").values_list("user__username", flat=True))
        field = self.fields["annotators"]
        assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101 - tells the type checker
        field.choices = [(name, name) for name in names]
        field.initial = names
