"""The form in which the build of a benchmark is described."""

from typing import Any

from django import forms

from annotate.evidence.source import sources_of
from annotate.grants.endpoints import endpoints_of
from annotate.models import Dataset
from annotate.models.prompt_set import PROJECT_SET
from annotate.prompt_sets.sets import set_choices
from annotate.prompts.forms import OF_ENVIRONMENT
from core.form_fields import NumberField
from factor.building.start import (
    HOTTEST,
    LONGEST_NAME,
    MOST_CONTEXT,
    MOST_CONTRADICTIONS,
    MOST_DOCUMENTS,
    MOST_TOKENS,
    BuildRequest,
)
from factor.filtering.settings import FilterSettings
from jobs.forms import LimitsForm
from knowledge.models import KnowledgeSource
from llm.interfaces import INTERFACES
from llm.models import Endpoint

INTERFACE_CHOICES = [(name, name) for name in INTERFACES]
WISHED = ("documents", "seed", "model", "interface", "temperature", "contradictions", "context_words", "answer_tokens")
GROUPS = {
    "Benchmark": ("name", "source", "documents", "seed"),
    "Model for the contradictions": (
        *(
            "model",
            "endpoint",
            "interface",
            "contradictions",
            "context_words",
            "temperature",
            "answer_tokens",
            "prompts",
        ),
    ),
    "Limits": ("max_tokens_total", "max_cost"),
}


class MakeForm(LimitsForm):
    """A benchmark's name, its corpus, the model that writes, and the limits of calls."""

    name = forms.CharField(label="Name of the benchmark", max_length=LONGEST_NAME)
    source = forms.ModelChoiceField(KnowledgeSource.objects.none(), label="Knowledge source", empty_label=None)
    documents = NumberField(
        label="Documents to draw",
        min_value=1,
        max_value=MOST_DOCUMENTS,
        initial=BuildRequest.documents,
        help_text="At most one example per document.",
    )
    seed = NumberField(initial=BuildRequest.seed, help_text="The same seed draws the same documents and sentences.")
    model = forms.CharField(label="Model", max_length=LONGEST_NAME)
    endpoint = forms.ModelChoiceField(Endpoint.objects.none(), required=False, empty_label=OF_ENVIRONMENT)
    interface = forms.ChoiceField(choices=INTERFACE_CHOICES, initial=BuildRequest.interface)
    temperature = forms.FloatField(min_value=0, max_value=HOTTEST, initial=BuildRequest.temperature)
    contradictions = NumberField(
        label="Contradictions per call",
        min_value=1,
        max_value=MOST_CONTRADICTIONS,
        initial=BuildRequest.contradictions,
        help_text="One call per error type of the sentence.",
    )
    context_words = NumberField(
        label="Words of context",
        min_value=0,
        max_value=MOST_CONTEXT,
        initial=BuildRequest.context_words,
        help_text="The model sees only these last words of the prefix.",
    )
    answer_tokens = NumberField(
        label="Maximum answer, in tokens", min_value=1, max_value=MOST_TOKENS, initial=BuildRequest.answer_tokens
    )

    prompts = forms.ChoiceField(
        label="Prompt set",
        initial=PROJECT_SET,
        required=False,
        help_text="Templates for contradictions and for judges of the filters.",
    )

    def __init__(self, dataset: Dataset, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["prompts"].choices = set_choices(dataset)  # type: ignore[attr-defined]
        self.fields["source"].queryset = sources_of(dataset)  # type: ignore[attr-defined]
        self.fields["endpoint"].queryset = endpoints_of(dataset)  # type: ignore[attr-defined]

    def wish(self, filters: FilterSettings) -> BuildRequest:
        prompts = self.cleaned_data["prompts"] or PROJECT_SET
        return BuildRequest(filters=filters, prompts=prompts, **{name: self.cleaned_data[name] for name in WISHED})

    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The fields under their headings."""
        return [(heading, [self[name] for name in names]) for heading, names in GROUPS.items()]
