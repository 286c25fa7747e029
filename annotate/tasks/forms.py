"""The form that reserves places."""

from django import forms
from django.http import QueryDict

from annotate.models import Dataset, Role


class AssignForm(forms.Form):
    """Annotators by user name, the share of tasks that want two, the seed of the draw."""

    annotators = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple)
    overlap = forms.FloatField(min_value=0, max_value=1, widget=forms.NumberInput(attrs={"step": "any"}))
    seed = forms.IntegerField(initial=7)

    def __init__(self, dataset: Dataset, data: QueryDict | None = None) -> None:
        super().__init__(data, initial={"overlap": dataset.overlap})
        members = dataset.memberships.filter(role=Role.ANNOTATOR, user__is_superuser=False)
        names = list(members.order_by("user__username").values_list("user__username", flat=True))
        field = self.fields["annotators"]
        assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101 - tells the type checker
        field.choices = [(name, name) for name in names]
        field.initial = names
