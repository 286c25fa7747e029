"""Whether annotators see suggestions, when, and of which run."""

from typing import Any

from django import forms
from django.db import transaction
from django.http import HttpRequest

from annotate.models import Dataset, Suggesting
from annotate.suggestions.source import source
from audit.models import Action
from audit.record import record

MOST_WITHHELD = 0.9
FIELDS = ("suggesting", "suggestion_run", "suggestion_withheld")


class SuggestionsForm(forms.ModelForm):  # type: ignore[type-arg]
    """When suggestions are shown, the run that they come from, and the share of tasks without them."""

    suggesting = forms.ChoiceField(choices=Suggesting.choices, widget=forms.RadioSelect)
    suggestion_run = forms.TypedChoiceField(coerce=int, empty_value=None, required=False)
    suggestion_withheld = forms.FloatField(min_value=0, max_value=MOST_WITHHELD)

    class Meta:
        model = Dataset
        fields = FIELDS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        runs: Any = self.fields["suggestion_run"]
        runs.choices = [("", "None"), *source().runs(self.instance)]
        self.fields["suggestion_withheld"].widget.attrs["step"] = "any"

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        on = cleaned.get("suggesting", Suggesting.OFF) != Suggesting.OFF
        if on and "suggestion_run" in cleaned and cleaned["suggestion_run"] is None:
            self.add_error("suggestion_run", "Choose the run that the suggestions come from.")
        return cleaned

    @transaction.atomic
    def store(self, request: HttpRequest) -> None:
        """Write what was changed, with its entry in the audit log."""
        if not self.changed_data:
            return
        dataset: Dataset = self.instance
        dataset.save(update_fields=self.changed_data)
        run = "no run" if dataset.suggestion_run is None else f"run {dataset.suggestion_run}"
        detail = f"{dataset.suggesting}, {run}, withheld in {dataset.suggestion_withheld:g} of tasks"
        record(request, Action.SUGGESTIONS_CHANGED, dataset, detail=detail)


def setting_of(dataset: Dataset) -> dict[str, Any]:
    """By the name of the field."""
    return {name: getattr(dataset, name) for name in FIELDS}


def changed_form(dataset: Dataset, changes: dict[str, Any]) -> SuggestionsForm:
    """The form in which only these fields differ from those of the dataset."""
    return SuggestionsForm({**setting_of(dataset), **changes}, instance=dataset)
