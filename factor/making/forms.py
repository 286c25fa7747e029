"""The form in which the making of a benchmark is described."""

from typing import Any

from django import forms

from annotate.leased.forms import LimitsForm
from annotate.prompts.forms import OF_ENVIRONMENT
from factor.filtering.settings import (
    ContradictionFilter,
    FilterSettings,
    FilterSettingsError,
    FluencyFilter,
    read_settings,
)
from factor.making.start import (
    HOTTEST,
    LONGEST_NAME,
    MOST_CONTEXT,
    MOST_CONTRADICTIONS,
    MOST_DOCUMENTS,
    MOST_TOKENS,
    Wish,
)
from knowledge.models import KnowledgeSource
from llm.interfaces import INTERFACES
from llm.models import Endpoint

BY_CONTRADICTION = [
    ("none", "Nothing: all are kept"),
    ("weights", "An NLI model on this server"),
    ("judge", "A model that is asked"),
]
BY_FLUENCY = [
    ("none", "Nothing: all are kept"),
    ("model", "A language model's log-probabilities"),
    ("judge", "A model that is asked"),
]
INTERFACE_CHOICES = [(name, name) for name in INTERFACES]
WISHED = ("documents", "seed", "model", "interface", "temperature", "contradictions", "context_words", "answer_tokens")
GROUPS = {
    "The benchmark": ("name", "source", "documents", "seed"),
    "The model that writes the contradictions": (
        *("model", "endpoint", "interface", "contradictions", "context_words", "temperature", "answer_tokens"),
    ),
    "Filter: does it contradict the original?": (
        *("contradiction_by", "contradiction_weights", "contradiction_model", "contradiction_endpoint"),
        *("contradiction_interface", "threshold", "coreference_threshold"),
    ),
    "Filter: is it as fluent as the original?": (
        *("fluency_by", "fluency_model", "fluency_endpoint", "fluency_interface", "margin"),
    ),
    "Limits": ("max_tokens_total", "max_cost"),
}
# Of a part of the settings, the fields of the form that fill it.
CONTRADICTION = {
    "by": "contradiction_by",
    "weights": "contradiction_weights",
    "model": "contradiction_model",
    "interface": "contradiction_interface",
    "threshold": "threshold",
    "coreference_threshold": "coreference_threshold",
}
FLUENCY = {"by": "fluency_by", "model": "fluency_model", "interface": "fluency_interface", "margin": "margin"}


class MakeForm(LimitsForm):
    """A benchmark's name, its corpus, the model that writes, the filters, and what calls may spend."""

    name = forms.CharField(label="Name of the benchmark", max_length=LONGEST_NAME)
    source = forms.ModelChoiceField(
        KnowledgeSource.objects.visible(), label="Made from the knowledge source", empty_label=None
    )
    documents = forms.IntegerField(
        label="Documents to draw",
        min_value=1,
        max_value=MOST_DOCUMENTS,
        initial=Wish.documents,
        help_text="Each gives one example at most.",
    )
    seed = forms.IntegerField(initial=Wish.seed, help_text="The same seed draws the same documents and sentences.")
    model = forms.CharField(label="Model", max_length=LONGEST_NAME)
    endpoint = forms.ModelChoiceField(Endpoint.objects.all(), required=False, empty_label=OF_ENVIRONMENT)
    interface = forms.ChoiceField(choices=INTERFACE_CHOICES, initial=Wish.interface)
    temperature = forms.FloatField(min_value=0, max_value=HOTTEST, initial=Wish.temperature)
    contradictions = forms.IntegerField(
        label="Contradictions a call",
        min_value=1,
        max_value=MOST_CONTRADICTIONS,
        initial=Wish.contradictions,
        help_text="One call for each type of error that applies to the sentence.",
    )
    context_words = forms.IntegerField(
        label="Words of context",
        min_value=0,
        max_value=MOST_CONTEXT,
        initial=Wish.context_words,
        help_text="The last of the prefix; the model sees no more of it.",
    )
    answer_tokens = forms.IntegerField(
        label="Longest answer, in tokens", min_value=1, max_value=MOST_TOKENS, initial=Wish.answer_tokens
    )
    contradiction_by = forms.ChoiceField(label="Measured by", choices=BY_CONTRADICTION, initial="none")
    contradiction_weights = forms.CharField(
        label="Folder of the NLI model", required=False, help_text="In WEIGHTS_DIR on the server."
    )
    contradiction_model = forms.CharField(label="Model that is asked", required=False, max_length=LONGEST_NAME)
    contradiction_endpoint = forms.ModelChoiceField(
        Endpoint.objects.all(), required=False, empty_label=OF_ENVIRONMENT, label="Its endpoint"
    )
    contradiction_interface = forms.ChoiceField(
        label="Its interface", choices=INTERFACE_CHOICES, initial=ContradictionFilter.interface
    )
    threshold = forms.FloatField(
        label="Kept above the probability", min_value=0, max_value=1, initial=ContradictionFilter.threshold
    )
    coreference_threshold = forms.FloatField(
        label="Coreference errors above",
        min_value=0,
        max_value=1,
        initial=ContradictionFilter.coreference_threshold,
    )
    fluency_by = forms.ChoiceField(label="Measured by", choices=BY_FLUENCY, initial="none")
    fluency_model = forms.CharField(
        label="Model",
        required=False,
        max_length=LONGEST_NAME,
        help_text="A language model that this dataset has for scoring, or the name of the model that is asked.",
    )
    fluency_endpoint = forms.ModelChoiceField(
        Endpoint.objects.all(), required=False, empty_label=OF_ENVIRONMENT, label="Endpoint of a model that is asked"
    )
    fluency_interface = forms.ChoiceField(
        label="Its interface", choices=INTERFACE_CHOICES, initial=FluencyFilter.interface
    )
    margin = forms.FloatField(
        label="May be below the original by", min_value=0, max_value=100, initial=FluencyFilter.margin
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            try:
                cleaned["filters"] = self._filters(cleaned)
            except FilterSettingsError as error:
                raise forms.ValidationError(str(error)) from None
        return cleaned

    @property
    def wish(self) -> Wish:
        return Wish(**{name: self.cleaned_data[name] for name in (*WISHED, "filters")})

    def groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The fields under their headings."""
        return [(heading, [self[name] for name in names]) for heading, names in GROUPS.items()]

    def _filters(self, cleaned: dict[str, Any]) -> FilterSettings:
        contradiction = {part: cleaned[name] for part, name in CONTRADICTION.items()}
        fluency = {part: cleaned[name] for part, name in FLUENCY.items()}
        for part, name in ((contradiction, "contradiction_endpoint"), (fluency, "fluency_endpoint")):
            part["endpoint"] = cleaned[name].name if cleaned[name] else ""
        return read_settings({"contradiction": contradiction, "fluency": fluency})
