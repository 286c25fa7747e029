"""The forms of a dataset: create, describe, delete."""

from typing import Any

from django import forms

from annotate.models import Dataset

DESCRIPTION = forms.Textarea(attrs={"rows": 3})


class AboutForm(forms.ModelForm):  # type: ignore[type-arg]
    """Name and description; a name is taken once."""

    class Meta:
        model = Dataset
        fields: tuple[str, ...] = ("name", "description")
        widgets = {"description": DESCRIPTION}
        help_texts = {"description": "Optional. Members see it on the overview."}
        error_messages = {"name": {"unique": "Another dataset has this name."}}


class NewDatasetForm(AboutForm):
    class Meta(AboutForm.Meta):
        fields = ("name", "scheme", "description")
        labels = {"scheme": "Label by"}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        scheme = self.fields["scheme"]
        assert isinstance(scheme, forms.ChoiceField)  # noqa: S101 - tells the type checker
        scheme.choices = [
            ("felm", "Segments of a response (FELM)"),
            ("factscore", "Atomic facts of a response (FActScore)"),
            ("claims", "Claims against a source: each by its own passages"),
        ]


class DeleteForm(forms.Form):
    name = forms.CharField(label="Name of the dataset", widget=forms.TextInput(attrs={"autocomplete": "off"}))

    def __init__(self, dataset: Dataset, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.dataset = dataset

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name != self.dataset.name:
            raise forms.ValidationError(f"The name is wrong. Type {self.dataset.name}")
        return name
