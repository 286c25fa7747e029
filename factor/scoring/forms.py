"""The forms in which models are described, and how they are scored."""

from typing import Any

from django import forms

from annotate.evidence.source import sources_of
from annotate.grants.endpoints import endpoints_of
from annotate.models import Dataset
from core.form_fields import NumberField
from factor.models import ScoredModel
from factor.scoring.start import LONGEST_CONTEXT, MOST_TOKENS, SHORTEST_CONTEXT, WISHED, ScoringRequest
from jobs.forms import LimitsForm
from knowledge.models import KnowledgeSource

Reached = ScoredModel.Reached
GROUPS = {
    "The model": ("model", "context_length", "limit", "without_prefix", "start_token"),
    "Retrieval": ("source", "stride", "query_tokens"),
    "Limits": ("max_tokens_total", "max_cost"),
}


class ScoredModelForm(forms.ModelForm):  # type: ignore[type-arg]
    """A language model, and how it is reached; empty: not known."""

    class Meta:
        model = ScoredModel
        fields = ("name", "family", "parameters", "cutoff", "reached_by", "endpoint", "reached_as")
        labels = {
            "cutoff": "Training cutoff",
            "reached_by": "Access",
            "reached_as": "Name at the endpoint or file",
        }
        help_texts = {
            "family": "One family is one line of a chart.",
            "parameters": "Number of parameters, such as 1300000000.",
            "cutoff": "Date of the newest training text.",
            "reached_as": "Endpoint: the model's name. Local: the folder or the GGUF file in WEIGHTS_DIR.",
        }
        widgets = {"cutoff": forms.DateInput(attrs={"type": "date"})}

    def __init__(self, dataset: Dataset, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        here = [choice for choice in Reached.choices if choice[0] != Reached.ELSEWHERE]
        self.fields["reached_by"].choices = here  # type: ignore[attr-defined]
        self.fields["endpoint"].queryset = endpoints_of(dataset)  # type: ignore[attr-defined]
        self.instance.dataset = dataset

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if self.instance.dataset.scored_models.filter(name=name).exists():
            raise forms.ValidationError("A model with this name already exists.")
        return name

    def clean(self) -> dict[str, Any]:
        fields: dict[str, Any] = super().clean() or {}
        at_endpoint = fields.get("reached_by") == Reached.ENDPOINT
        if at_endpoint and not fields.get("endpoint"):
            self.add_error("endpoint", "Choose an endpoint. Add one on the page “Endpoints”.")
        if not at_endpoint:
            fields["endpoint"] = None
        return fields


class ScoreForm(LimitsForm):
    """Which model is scored on a benchmark, and how."""

    model = forms.ModelChoiceField(ScoredModel.objects.none(), empty_label=None)
    context_length = NumberField(
        label="Context, in tokens",
        min_value=SHORTEST_CONTEXT,
        max_value=LONGEST_CONTEXT,
        initial=ScoringRequest.context_length,
        help_text="Longer prefixes are cut on the left.",
    )
    without_prefix = forms.BooleanField(
        required=False, label="Without the prefix", help_text="A baseline of the completions alone."
    )
    start_token = forms.BooleanField(
        required=False,
        label="With a start token",
        help_text="Local weights only: texts begin with the token that the tokenizer adds.",
    )
    source = forms.ModelChoiceField(
        KnowledgeSource.objects.none(),
        required=False,
        empty_label="nothing",
        label="Retrieve from",
        help_text="Adds a retrieved passage before the input. Evaluated documents are left out.",
    )
    stride = NumberField(
        label="Tokens between retrievals", min_value=1, max_value=MOST_TOKENS, initial=ScoringRequest.stride
    )
    query_tokens = NumberField(
        label="Tokens per query", min_value=1, max_value=MOST_TOKENS, initial=ScoringRequest.query_tokens
    )
    limit = NumberField(label="Limit", min_value=1, required=False, help_text="Maximum number of examples. Empty: all.")

    def __init__(self, dataset: Dataset, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["model"].queryset = dataset.scored_models.exclude(reached_by=Reached.ELSEWHERE)  # type: ignore[attr-defined]
        self.fields["source"].queryset = sources_of(dataset)  # type: ignore[attr-defined]

    @property
    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The fields under their headings."""
        return [(heading, [self[name] for name in names]) for heading, names in GROUPS.items()]

    @property
    def wish(self) -> ScoringRequest:
        fields = {**self.cleaned_data, "with_prefix": not self.cleaned_data["without_prefix"]}
        return ScoringRequest(**{name: fields[name] for name in WISHED})
