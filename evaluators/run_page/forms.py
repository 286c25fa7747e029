"""What people write about a run."""

from django import forms

from core.errors import DataError
from evaluators.runs.create import LONGEST_NAME
from evaluators.runs.manage import LONGEST_NOTE, read_tags


class RunNotesForm(forms.Form):
    """Name, tags and note."""

    name = forms.CharField(max_length=LONGEST_NAME, label="Name of the evaluator")
    tags = forms.CharField(required=False, max_length=1000, help_text="Words to find the run by, with commas between.")
    note = forms.CharField(
        required=False, max_length=LONGEST_NOTE, widget=forms.Textarea(attrs={"rows": 5}), help_text="For colleagues."
    )

    def clean_tags(self) -> list[str]:
        try:
            return read_tags(self.cleaned_data["tags"])
        except DataError as error:
            raise forms.ValidationError(str(error)) from None
