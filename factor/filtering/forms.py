"""The fields of the filters' settings, on the page that begins a build."""

from collections.abc import Mapping
from typing import Any

from django import forms

from annotate.grants.endpoints import endpoints_of
from annotate.models import Dataset
from core.form_fields import NumberField
from factor.filtering.settings import JUDGE, MODEL, NONE, WEIGHTS, FilterSettings, FilterSettingsError, read_settings
from factor.models import ScoredModel
from llm.models import Endpoint

OF_ENVIRONMENT = "from the environment"
DEFAULTS = FilterSettings()


class FilterForm(forms.Form):
    """`settings` is the outcome of a valid one; whether its models are there is found out when the build begins
    (ready.py)."""

    contradiction_by = forms.ChoiceField(
        label="Contradiction measured by",
        choices=[
            (NONE, "nothing: all candidates pass"),
            (WEIGHTS, "an inference model on this machine"),
            (JUDGE, "a judge: a model at an endpoint"),
        ],
    )
    contradiction_weights = forms.CharField(
        label="Folder of the inference model",
        required=False,
        help_text="In WEIGHTS_DIR. One of its labels must be called contradiction.",
    )
    contradiction_model = forms.CharField(label="Model that judges contradiction", required=False)
    contradiction_endpoint = forms.ModelChoiceField(
        Endpoint.objects.none(),
        label="Endpoint of the judge of contradiction",
        required=False,
        empty_label=OF_ENVIRONMENT,
    )
    threshold = forms.FloatField(
        label="Minimum probability of a contradiction",
        min_value=0,
        max_value=1,
        help_text="Candidates above it are kept.",
    )
    coreference_threshold = forms.FloatField(
        label="Minimum probability for coreference errors", min_value=0, max_value=1
    )
    fluency_by = forms.ChoiceField(
        label="Fluency measured by",
        choices=[
            (NONE, "nothing: all candidates pass"),
            (MODEL, "a language model's probabilities"),
            (JUDGE, "a judge: a model at an endpoint"),
        ],
    )
    fluency_language_model = forms.ChoiceField(label="Language model", required=False)
    fluency_model = forms.CharField(label="Model that judges fluency", required=False)
    fluency_endpoint = forms.ModelChoiceField(
        Endpoint.objects.none(), label="Endpoint of the judge of fluency", required=False, empty_label=OF_ENVIRONMENT
    )
    margin = forms.FloatField(
        label="Maximum loss of fluency",
        min_value=0,
        max_value=100,
        help_text="In mean log-probability per token, or in a judge's probability.",
    )
    near_words = NumberField(
        label="Words of context",
        min_value=0,
        max_value=1_000,
        help_text="Number of words before the sentence.",
    )

    def __init__(
        self,
        dataset: Dataset,
        data: Mapping[str, Any] | None = None,
        *,
        settings: FilterSettings = DEFAULTS,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        """The fields begin with the settings, and with what `initial` says otherwise."""
        super().__init__(data, initial={**initial_of(settings), **(initial or {})})
        for name in ("contradiction_endpoint", "fluency_endpoint"):
            self.fields[name].queryset = endpoints_of(dataset)  # type: ignore[attr-defined]
        names = ScoredModel.objects.filter(dataset=dataset).values_list("name", flat=True)
        field = self.fields["fluency_language_model"]
        field.choices = [("", "none"), *((name, name) for name in names)]  # type: ignore[attr-defined]
        if not names:
            field.help_text = "None yet: add a model on the page of scorings."

    def clean(self) -> dict[str, Any]:
        fields: dict[str, Any] = super().clean() or self.cleaned_data
        if self.errors:
            return fields
        try:
            self.settings = read_settings(_as_json(fields))
        except FilterSettingsError as error:
            raise forms.ValidationError(str(error)) from None
        return fields


def initial_of(settings: FilterSettings) -> dict[str, Any]:
    contradiction, fluency = settings.contradiction, settings.fluency
    by_model = fluency.by == MODEL
    return {
        "contradiction_by": contradiction.by,
        "contradiction_weights": contradiction.weights,
        "contradiction_model": contradiction.model,
        "contradiction_endpoint": _endpoint_named(contradiction.endpoint),
        "threshold": contradiction.threshold,
        "coreference_threshold": contradiction.coreference_threshold,
        "fluency_by": fluency.by,
        "fluency_language_model": fluency.model if by_model else "",
        "fluency_model": "" if by_model else fluency.model,
        "fluency_endpoint": _endpoint_named(fluency.endpoint),
        "margin": fluency.margin,
        "near_words": settings.near_words,
    }


def _as_json(fields: dict[str, Any]) -> dict[str, Any]:
    by_model = fields["fluency_by"] == MODEL
    return {
        "contradiction": {
            "by": fields["contradiction_by"],
            "weights": fields["contradiction_weights"],
            "model": fields["contradiction_model"],
            "endpoint": _name_of(fields["contradiction_endpoint"]),
            "threshold": fields["threshold"],
            "coreference_threshold": fields["coreference_threshold"],
        },
        "fluency": {
            "by": fields["fluency_by"],
            "model": fields["fluency_language_model"] if by_model else fields["fluency_model"],
            "endpoint": _name_of(fields["fluency_endpoint"]),
            "margin": fields["margin"],
        },
        "near_words": fields["near_words"],
    }


def _endpoint_named(name: str) -> Endpoint | None:
    return Endpoint.objects.filter(name=name).first() if name else None


def _name_of(endpoint: Endpoint | None) -> str:
    return "" if endpoint is None else endpoint.name
