"""The forms that draw a sample of mistakes, and tag one."""

from typing import Any

from django import forms

from annotate.models import Dataset
from core.form_fields import SeedField
from evaluators.errors.causes import causes_of
from evaluators.errors.tag import NOTE_LIMIT
from evaluators.models import ErrorCause, Run
from evaluators.predictions.read import latest_runs

SIZE = 30  # as FActScore's table 14


class DrawForm(forms.Form):
    """Whose mistakes, against which gold, how many; the seed is drawn where it is left empty."""

    run = forms.ChoiceField(label="Evaluator")
    version = forms.ChoiceField(label="Gold", required=False)
    size = forms.IntegerField(label="How many", min_value=1, max_value=2_000, initial=SIZE)
    seed = SeedField()

    def __init__(self, dataset: Dataset, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.runs = {str(run.pk): run for run in latest_runs(dataset)}
        self.versions = {version.name: version for version in dataset.gold_versions.order_by("-created_at")}
        self.choices("run", [(key, run.evaluator.name) for key, run in self.runs.items()])
        self.choices("version", [("", "Gold in force"), *((name, name) for name in self.versions)])

    def choices(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            field.choices = choices

    def chosen_run(self) -> Run:
        return self.runs[self.cleaned_data["run"]]


class TagForm(forms.Form):
    """The cause of a mistake, and a note."""

    cause = forms.TypedChoiceField(coerce=int, error_messages={"required": "Choose a cause."})
    note = forms.CharField(max_length=NOTE_LIMIT, required=False)

    def __init__(self, dataset: Dataset, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.causes: dict[int, ErrorCause] = {cause.pk: cause for cause in causes_of(dataset)}
        field = self.fields["cause"]
        if isinstance(field, forms.ChoiceField):
            field.choices = [(cause.pk, cause.name) for cause in self.causes.values()]

    def chosen_cause(self) -> ErrorCause:
        return self.causes[self.cleaned_data["cause"]]

    @property
    def trouble(self) -> str:
        return " ".join(str(error) for errors in self.errors.values() for error in errors)
