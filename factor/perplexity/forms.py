"""The form in which a pass over a corpus is begun."""

from django import forms

from annotate.evidence.source import sources_of
from annotate.models import Dataset
from core.form_fields import NumberField
from factor.models import ScoredModel
from factor.perplexity.start import LONGEST_CONTEXT, MOST_DOCUMENTS, SHORTEST_CONTEXT, PerplexityRequest
from jobs.forms import LimitsForm
from knowledge.models import KnowledgeSource


class PerplexityForm(LimitsForm):
    """The model, the corpus, and how much of it."""

    model = forms.ModelChoiceField(ScoredModel.objects.none(), label="Language model", empty_label=None)
    source = forms.ModelChoiceField(KnowledgeSource.objects.none(), label="Knowledge source", empty_label=None)
    documents = NumberField(
        label="Documents to draw",
        min_value=1,
        max_value=MOST_DOCUMENTS,
        initial=PerplexityRequest.documents,
        help_text="All, if there are fewer.",
    )
    seed = NumberField(
        initial=PerplexityRequest.seed, help_text="The same seed draws the same documents for every model."
    )
    context_length = NumberField(
        label="Window, in tokens",
        min_value=SHORTEST_CONTEXT,
        max_value=LONGEST_CONTEXT,
        initial=PerplexityRequest.context_length,
        help_text="Documents are split into windows of this size.",
    )
    field_order = ("model", "source", "documents", "seed", "context_length")

    def __init__(self, dataset: Dataset, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        models = self.fields["model"]
        assert isinstance(models, forms.ModelChoiceField)  # noqa: S101 - declared above
        models.queryset = dataset.scored_models.exclude(reached_by=ScoredModel.Reached.ELSEWHERE)
        self.fields["source"].queryset = sources_of(dataset)  # type: ignore[attr-defined]

    def wish(self) -> PerplexityRequest:
        return PerplexityRequest(**{name: self.cleaned_data[name] for name in PerplexityRequest.__dataclass_fields__})
