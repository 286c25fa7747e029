"""The form that starts a run: five fields, and a method's parameters under "Advanced"."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from annotate.grants.endpoints import endpoints_by_choice, engines_of
from annotate.models import Dataset
from annotate.prompt_sets.sets import set_choices
from core.form_fields import NumberField
from evaluators.methods.base import PROFILES, RELEASED_CODE, SEARCH_PARAMETERS, SHARED, Method, Parameter
from evaluators.methods.parameters import (
    PROFILE,
    ParameterError,
    choice_title,
    describe,
    profile_title,
    read_value,
)
from evaluators.runs.searching import runs_with_kept_searches
from jobs.forms import LimitsForm
from knowledge.web_search.finders import CORPUS
from llm.models import Endpoint

PREFIX = "parameter-"  # a method may have a parameter called "name"
ENDPOINT = f"{PREFIX}endpoint"
SEARCH = "search"
# Where a method calls no model there are none of these.
OF_MODEL = ("model", ENDPOINT, "max_tokens_total", "max_cost", "anew", "batch_api")


class ParameterField(forms.Field):
    """A parameter of a method: its type, bounds and choices are those of its declaration. Empty: its default under the
    profile that the form shows."""

    def __init__(self, parameter: Parameter, method: Method, dataset: Dataset, profile: str) -> None:
        super().__init__(
            label=parameter.title,
            initial=str(parameter.default_under(profile)),
            help_text=" ".join([parameter.help, *_bounds(parameter), *_released(parameter, method)]),
            widget=_widget(parameter, method, dataset),
            required=False,
        )
        self.parameter = parameter

    def clean(self, value: Any) -> str:
        """The value's text, once it is known that the parameter takes it."""
        text = str(super().clean(value) or "")
        if not text:
            return str(self.initial)
        try:
            read_value(self.parameter, text)
        except ParameterError as error:
            raise ValidationError(str(error)) from None
        return text


def _bounds(parameter: Parameter) -> list[str]:
    """The bounds of a number; choices need no text."""
    is_number = isinstance(parameter.default, int | float) and not isinstance(parameter.default, bool)
    return [f"{describe(parameter).capitalize()}."] * is_number


def _released(parameter: Parameter, method: Method) -> list[str]:
    """What becomes of a default that is left as it is."""
    if parameter.released is None:
        return []
    return [
        f"Left unchanged, answer parsing {profile_title(RELEASED_CODE, method.name)} makes it {parameter.released}."
    ]


def _widget(parameter: Parameter, method: Method, dataset: Dataset) -> forms.Widget:
    if parameter.name == "prompts":
        return forms.Select(choices=set_choices(dataset))
    if parameter.name == SEARCH and method.needs_search:
        return forms.Select(choices=_engine_choices(dataset))
    if isinstance(parameter.default, bool):
        return forms.Select(choices=[("True", "yes"), ("False", "no")])
    if parameter.choices:
        titles = [(each, choice_title(method.name, parameter.name, each)) for each in parameter.choices]
        return forms.Select(choices=titles)
    if isinstance(parameter.default, str):
        return forms.TextInput()
    bounds = {"min": parameter.minimum, "max": parameter.maximum}
    step = 1 if isinstance(parameter.default, int) else "any"
    return forms.NumberInput(attrs={"step": step} | {key: f"{at:g}" for key, at in bounds.items() if at is not None})


def _engine_choices(dataset: Dataset) -> list[tuple[str, str]]:
    """What a run over the dataset can search, by the value of its parameter."""
    engines = [(name, name) for name in engines_of(dataset).values_list("name", flat=True)]
    corpus = [(CORPUS, "this dataset's knowledge source")] if dataset.knowledge_source_id else []
    kept = runs_with_kept_searches(dataset)
    of_runs = [(f"run:{run.pk}", f"the results of run {run.pk}, {run.evaluator.name}") for run in kept]
    return [("", "none chosen"), *engines, *corpus, *of_runs]


def first_engine(dataset: Dataset) -> str:
    """The search engine that a form begins with; "" where the dataset has none."""
    engine = engines_of(dataset).first()
    return engine.name if engine else ""


class SearchField(forms.ChoiceField):
    """What the runs over the dataset search that search the web; the first engine to begin with."""

    def __init__(self, dataset: Dataset) -> None:
        super().__init__(
            label="Search engine",
            choices=_engine_choices(dataset),
            initial=first_engine(dataset),
            required=False,
            help_text="Of the methods that search the web.",
            error_messages={"invalid_choice": "Choose a search engine of this dataset."},
        )


class EndpointField(forms.ChoiceField):
    """The endpoints that the dataset may use, each with its address. `given`: the value that the form begins with,
    which may be the name of the default endpoint."""

    def __init__(self, endpoints: Mapping[str, Endpoint], given: str = "") -> None:
        by_value = dict(endpoints)
        by_value |= {each.name: each for each in endpoints.values() if each.name == given}
        super().__init__(
            label="Endpoint",
            choices=[(value, address_of(each)) for value, each in by_value.items()],
            initial="",
            required="" not in by_value,
            error_messages={
                "required": "Choose an endpoint.",
                "invalid_choice": "Choose an endpoint of this dataset.",
            },
        )


def address_of(endpoint: Endpoint) -> str:
    """An endpoint with its address."""
    return endpoint.name if endpoint.name == endpoint.base_url else f"{endpoint.name}: {endpoint.base_url}"


def _batch_api() -> forms.BooleanField:
    return forms.BooleanField(
        required=False,
        label="Ask through the Batch API",
        help_text="Requests go in files and are answered within a day, at a lower price (OpenAI and others: half). A "
        "method of several stages takes as many files, one after the other.",
    )


class RunForm(LimitsForm):
    """Everything that a run over the dataset takes. method: None until one is chosen."""

    model = forms.CharField(max_length=200, help_text="As the endpoint calls it.")
    name = forms.CharField(
        max_length=200,
        required=False,
        help_text="Of the evaluator, as on the leaderboard. Empty: the method and the model.",
    )
    limit = NumberField(
        required=False, min_value=1, label="Only the first", help_text="Number of responses. Empty: all."
    )
    force = forms.BooleanField(required=False, label="Run again even if the same run exists")
    anew = forms.BooleanField(required=False, label="Call the model again, also for cached answers")
    batch_api = _batch_api()

    def __init__(self, dataset: Dataset, method: Method | None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._method = method
        self.endpoints = endpoints_by_choice(dataset)
        self.fields["max_cost"].label = "Budget, in US dollars"
        self.fields["max_cost"].help_text = "The run stops before a call could exceed it. Empty: no limit."
        self._shown_profile = str(self.initial.get(PREFIX + PROFILE, PROFILES[0]))
        self.fields[ENDPOINT] = EndpointField(self.endpoints, str(self.initial.get(ENDPOINT, "")))
        if method:
            self._add_parameters(method, dataset)

    def _add_parameters(self, method: Method, dataset: Dataset) -> None:
        for parameter in method.parameters:
            if PREFIX + parameter.name != ENDPOINT:
                field = ParameterField(parameter, method, dataset, self._shown_profile)
                self.fields[PREFIX + parameter.name] = field
        if not method.needs_model:
            for name in OF_MODEL:
                if not (name == "max_cost" and method.needs_search):
                    del self.fields[name]

    @property
    def endpoint(self) -> forms.BoundField:
        return self[ENDPOINT]

    @property
    def stops(self) -> bool:
        """Whether there is no endpoint that a run could call."""
        return "model" in self.fields and not self.endpoints

    def advanced(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The fields that are folded, under the headings of the page."""
        own = [PREFIX + parameter.name for parameter in self._method.own_parameters] if self._method else []
        shared = [PREFIX + name for name in SHARED if PREFIX + name not in (*own, ENDPOINT)]
        searching = [PREFIX + parameter.name for parameter in SEARCH_PARAMETERS]
        of_run = ["limit", "max_tokens_total", "force", "anew"]
        headed = {
            "What judges": own,
            "What is searched": searching,
            "How the model is asked": [*shared, "batch_api"],
            "The run": of_run,
        }
        groups = [(title, [self[name] for name in names if name in self.fields]) for title, names in headed.items()]
        return [(title, fields) for title, fields in groups if fields]

    @property
    def advanced_fails(self) -> bool:
        return any(field.errors for _, fields in self.advanced() for field in fields)

    def parameters(self) -> dict[str, str]:
        """The texts of the parameters by name. Defaults of another profile than the chosen one are left out: those of
        the chosen one apply, as where a command or the API does not name them."""
        texts = {key.removeprefix(PREFIX): value for key, value in self.cleaned_data.items() if key.startswith(PREFIX)}
        if texts.get(PROFILE, self._shown_profile) == self._shown_profile:
            return texts
        known = {each.name: each for each in self._method.parameters} if self._method else {}
        return {
            name: text
            for name, text in texts.items()
            if name == PROFILE or read_value(known[name], text) != known[name].default_under(self._shown_profile)
        }


class LinesWidget(forms.Textarea):
    """A text of lines, or several fields of the same name."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> str:
        values = data.getlist(name) if hasattr(data, "getlist") else [data.get(name, "")]
        return "\n".join(values)


class BatchForm(LimitsForm):
    """Everything that a batch over the dataset takes."""

    methods = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple)
    models = forms.CharField(widget=LinesWidget(attrs={"rows": 3}), required=False, max_length=20_000)
    name = forms.CharField(
        max_length=200, required=False, help_text="Of the batch. Empty: what its runs share, and how many they are."
    )
    limit = NumberField(
        required=False, min_value=1, label="Only the first", help_text="Number of responses. Empty: all."
    )
    force = forms.BooleanField(required=False, label="Run again even if the same run exists")
    batch_api = _batch_api()

    def __init__(self, dataset: Dataset, methods: Sequence[Method], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.endpoints = endpoints_by_choice(dataset)
        self.fields["methods"].choices = [(each.name, each.title) for each in methods]  # type: ignore[attr-defined]
        self.fields["max_cost"].label = "Budget, in US dollars"
        self.fields[
            "max_cost"
        ].help_text = "Of all runs together: they stop before a call could exceed it. Empty: no limit."
        self.fields["max_tokens_total"].help_text = "Of all runs together. Empty: no limit."
        self.fields[ENDPOINT] = EndpointField(self.endpoints, str(self.initial.get(ENDPOINT, "")))
        self._searching = {each.name for each in methods if each.needs_search}
        if self._searching:
            self.fields[PREFIX + SEARCH] = SearchField(dataset)

    @property
    def endpoint(self) -> forms.BoundField:
        return self[ENDPOINT]

    @property
    def search(self) -> str:
        """The chosen search engine, "" where none of the chosen methods searches."""
        chosen: str = self.cleaned_data.get(PREFIX + SEARCH, "")
        return chosen if self._searching & set(self.cleaned_data.get("methods", ())) else ""

    @property
    def engine(self) -> forms.BoundField | None:
        return self[PREFIX + SEARCH] if self._searching else None

    @property
    def chosen_methods(self) -> list[str]:
        """As they are sent, whether they fit or not."""
        return list(self["methods"].value() or ())

    @property
    def chosen_models(self) -> list[str]:
        return names_in(str(self["models"].value() or ""))

    def advanced(self) -> list[forms.BoundField]:
        return [self[name] for name in ("limit", "max_tokens_total", "force", "batch_api")]

    @property
    def advanced_fails(self) -> bool:
        return any(field.errors for field in self.advanced())

    def parameters(self) -> dict[str, str]:
        """Of the methods that call a model."""
        endpoint = self.cleaned_data.get(ENDPOINT)
        return {"endpoint": endpoint} if endpoint else {}


def names_in(text: str) -> list[str]:
    """The names in the lines of a text, each once."""
    return list(dict.fromkeys(name for line in text.splitlines() if (name := line.strip())))
