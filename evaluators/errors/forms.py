"""The forms that draw a sample of mistakes, and tag one."""

from typing import Any

from django import forms

from annotate.models import Dataset
from core.form_fields import NumberField
from evaluators.models import ErrorCause
from evaluators.predictions.read import latest_runs
from ratings.forms import DrawForm, NoteField, RatingForm

SIZE = 30  # FActScore table 14


class MistakesDrawForm(DrawForm):
    """The evaluator, the version of gold, and the size."""

    run = forms.ChoiceField(label="Evaluator")
    version = forms.ChoiceField(label="Gold", required=False)
    size = NumberField(label="How many", min_value=1, max_value=2_000, initial=SIZE)
    field_order = ("run", "version", "size", "seed")
    help = (
        "A mistake is a unit that it calls correct and gold an error, or the other way round. "
        "What could not be read is none."
    )

    def __init__(self, dataset: Dataset, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.runs = {str(run.pk): run for run in latest_runs(dataset)}
        self.versions = {version.name: version for version in dataset.gold_versions.order_by("-created_at")}
        self.choices("run", [(key, run.evaluator.name) for key, run in self.runs.items()])
        self.choices("version", [("", "Current gold"), *((name, name) for name in self.versions)])

    def choices(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            field.choices = choices

    def clean(self) -> dict[str, Any]:
        """The objects of run and version; the version None is gold in force."""
        sent = super().clean() or self.cleaned_data
        return {
            **sent,
            "run": self.runs.get(sent.get("run", "")),
            "version": self.versions.get(sent.get("version", "")),
        }


class TagForm(RatingForm):
    """The cause of a mistake, and a note."""

    cause = forms.ModelChoiceField(ErrorCause.objects.none(), error_messages={"required": "Choose a cause."})
    note = NoteField()

    def __init__(self, dataset: Dataset, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        cause: Any = self.fields["cause"]
        cause.queryset = ErrorCause.objects.filter(dataset=dataset)
