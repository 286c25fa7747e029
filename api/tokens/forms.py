"""The form of a new token."""

from datetime import timedelta

from django import forms

from annotate.models import Dataset, User
from api.models import Scope

LIFETIMES = [("7", "7 days"), ("30", "30 days"), ("90", "90 days"), ("365", "1 year")]


class TokenForm(forms.Form):
    name = forms.CharField(max_length=100, label="Name", help_text="For your list, such as the machine that uses it.")
    scopes = forms.MultipleChoiceField(
        choices=Scope.choices, initial=[Scope.READ], widget=forms.CheckboxSelectMultiple, label="Rights"
    )
    dataset = forms.ModelChoiceField(
        Dataset.objects.none(), required=False, label="Dataset", empty_label="All of yours"
    )
    days = forms.ChoiceField(choices=LIFETIMES, initial="90", label="Expires after")

    def __init__(self, user: User, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        field = self.fields["dataset"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - tells the type checker
        field.queryset = Dataset.objects.of(user).order_by("name")

    @property
    def lifetime(self) -> timedelta:
        return timedelta(days=int(self.cleaned_data["days"]))
