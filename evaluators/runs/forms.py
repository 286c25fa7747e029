"""The form that starts a run: a method's parameters as fields."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from annotate.grants.endpoints import endpoints_of
from annotate.models import Dataset
from core.form_fields import NumberField
from evaluators.methods.base import Method, Parameter
from evaluators.methods.parameters import ParameterError, describe, read_value
from evaluators.prompts.sets import all_sets
from jobs.forms import LimitsForm

PREFIX = "parameter-"  # a method may have a parameter called "name"


class ParameterField(forms.Field):
    """A parameter of a method: its type, bounds and choices are those of its declaration."""

    def __init__(self, parameter: Parameter, dataset: Dataset) -> None:
        super().__init__(
            label=parameter.name,
            initial=str(parameter.default),
            help_text=" ".join([parameter.help, *_bounds(parameter)]),
            widget=_widget(parameter, dataset),
            required=not isinstance(parameter.default, str),
        )
        self.parameter = parameter

    def clean(self, value: Any) -> str:
        """The value's text, once it is known that the parameter takes it."""
        text = str(super().clean(value) or "")
        try:
            read_value(self.parameter, text)
        except ParameterError as error:
            raise ValidationError(str(error)) from None
        return text


def _bounds(parameter: Parameter) -> list[str]:
    """The bounds of a number; choices need no text."""
    is_number = isinstance(parameter.default, int | float) and not isinstance(parameter.default, bool)
    return [f"{describe(parameter).capitalize()}."] * is_number


def _there(parameter: Parameter, dataset: Dataset) -> list[tuple[str, str]]:
    """Choices in the dataset of the parameters that name a prompt set, an endpoint or weights."""
    if parameter.name == "prompts":
        return [(each.name, each.title) for each in all_sets(dataset)]
    if parameter.name == "endpoint":
        return [
            ("", "the default one"),
            *((name, name) for name in endpoints_of(dataset).values_list("name", flat=True)),
        ]
    return []


def _widget(parameter: Parameter, dataset: Dataset) -> forms.Widget:
    if there := _there(parameter, dataset):
        return forms.Select(choices=there)
    if isinstance(parameter.default, bool):
        return forms.Select(choices=[("True", "yes"), ("False", "no")])
    if parameter.choices:
        return forms.Select(choices=[(choice, choice) for choice in parameter.choices])
    if isinstance(parameter.default, str):
        return forms.TextInput()
    bounds = {"min": parameter.minimum, "max": parameter.maximum}
    step = 1 if isinstance(parameter.default, int) else "any"
    return forms.NumberInput(attrs={"step": step} | {key: f"{at:g}" for key, at in bounds.items() if at is not None})


class RunForm(LimitsForm):
    """Everything that a run of the method over the dataset takes."""

    model = forms.CharField(max_length=200, help_text="As the endpoint calls it.")
    name = forms.CharField(
        max_length=200,
        required=False,
        label="Name of the evaluator",
        help_text="Shown on the leaderboard. Empty: the method and the model.",
    )
    limit = NumberField(
        required=False, min_value=1, label="Only the first", help_text="Number of responses. Empty: all."
    )
    force = forms.BooleanField(required=False, label="Run again even if the same run exists")
    anew = forms.BooleanField(required=False, label="Call the model again, also for cached answers")

    def __init__(self, dataset: Dataset, method: Method, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._method = method
        if not method.needs_model:
            for name in ("model", "max_tokens_total", "max_cost", "anew"):
                del self.fields[name]
        for parameter in method.parameters:
            self.fields[PREFIX + parameter.name] = ParameterField(parameter, dataset)
        self.order_fields(["model", *(PREFIX + parameter.name for parameter in method.parameters), "name", "limit"])

    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The fields under the headings of the page."""
        own = ["model", *(PREFIX + parameter.name for parameter in self._method.own_parameters)]
        of_run = ["name", "limit", "max_tokens_total", "max_cost", "force", "anew"]
        shared = [name for name in self.fields if name not in (*own, *of_run)]
        headed = {"What judges": own, "How the model is asked": shared, "The run": of_run}
        groups = [(title, [self[name] for name in names if name in self.fields]) for title, names in headed.items()]
        return [(title, fields) for title, fields in groups if fields]

    def parameters(self) -> dict[str, str]:
        """The texts of the parameters by name."""
        return {key.removeprefix(PREFIX): value for key, value in self.cleaned_data.items() if key.startswith(PREFIX)}
