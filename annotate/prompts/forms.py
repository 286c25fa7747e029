"""The forms of the prompts' page."""

import re
from collections.abc import Iterable
from typing import Any

from django import forms

from annotate.corpus.rows import LONGEST_DOMAIN
from annotate.grants.endpoints import endpoints_of
from annotate.models import Dataset, SubjectModel
from annotate.models.dataset import DatasetQuerySet
from annotate.models.prompt_set import PROJECT_SET
from annotate.prompt_sets.sets import set_choices
from annotate.prompts.start import HOTTEST, LONGEST_NAME, MOST_SAMPLES, MOST_TOKENS, GenerationSettings
from annotate.templatetags.amounts import domain_name
from core.form_fields import NumberField, UploadField
from jobs.forms import LimitsForm
from llm.interfaces import INTERFACES
from llm.models import Endpoint

SEED = 7
MOST_ENTITIES = 5000
MOST_WRITTEN = 500
OF_ENVIRONMENT = "that of the environment"
MONTH = re.compile(r"[12]\d{3}-(0[1-9]|1[0-2])")
OPEN = {"": "not known", "yes": "yes", "no": "no"}


class PromptsForm(forms.Form):
    file = UploadField(label="Prompts, JSON lines", command="import_prompts")


class ReferenceListsForm(forms.Form):
    file = UploadField(label="Lists, JSON lines", command="import_reference_facts")
    replace = forms.BooleanField(required=False, label="Replace the lists that are there")


class EntitiesForm(forms.Form):
    """A draw of entities. Any of the datasets given may be kept apart from."""

    file = UploadField(
        label="Entities with counts",
        help_text="JSON lines, or CSV with a line of names.",
        command="sample_entities",
    )
    size = NumberField(label="Entities to draw", min_value=1, max_value=MOST_ENTITIES, initial=183)
    seed = NumberField(initial=SEED, help_text="Makes the draw repeatable.")
    apart_from = forms.ModelMultipleChoiceField(
        Dataset.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Nobody who has responses in",
        help_text="Besides this dataset, of which nobody is drawn.",
    )

    def __init__(self, others: DatasetQuerySet, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["apart_from"].queryset = others  # type: ignore[attr-defined]
        if not others:
            del self.fields["apart_from"]


class DraftForm(forms.Form):
    """Prompts that somebody has thought of."""

    prompts = forms.CharField(label="Prompts, one a line", widget=forms.Textarea(attrs={"rows": 5}))
    domain = forms.CharField(label="Their domain", max_length=LONGEST_DOMAIN, required=False)

    @property
    def rows(self) -> list[dict[str, str]]:
        """As rows of a file of prompts."""
        lines = (line.strip() for line in self.cleaned_data["prompts"].splitlines())
        return [{"prompt": line, "domain": self.cleaned_data["domain"].strip()} for line in lines if line]


class WriteForm(forms.Form):
    """The model that writes prompts, and the prompts that it follows."""

    model = forms.CharField(label="Model that writes", max_length=LONGEST_NAME)
    endpoint = forms.ModelChoiceField(Endpoint.objects.none(), required=False, empty_label=OF_ENVIRONMENT)
    domain = forms.ChoiceField(label="After the drafted prompts of", required=False)
    wanted = NumberField(label="Prompts to write", min_value=1, max_value=MOST_WRITTEN, initial=20)
    seed = NumberField(initial=SEED, help_text="Decides which are shown to the model.")
    prompt_set = forms.ChoiceField(label="Prompt set", required=False, initial=PROJECT_SET)

    def __init__(self, dataset: Dataset, domains: Iterable[str], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["endpoint"].queryset = endpoints_of(dataset)  # type: ignore[attr-defined]
        named = [(domain, domain_name(domain) if domain else "no domain") for domain in domains]
        self.fields["domain"].choices = named  # type: ignore[attr-defined]
        self.fields["prompt_set"].choices = set_choices(dataset)  # type: ignore[attr-defined]


class AskForm(LimitsForm):
    """The model that answers, and its parameters."""

    model = forms.CharField(label="Model to ask", max_length=LONGEST_NAME)
    subject = forms.CharField(
        label="Name of the subject", max_length=LONGEST_NAME, required=False, help_text="Empty: as the model."
    )
    endpoint = forms.ModelChoiceField(
        Endpoint.objects.none(), required=False, empty_label=OF_ENVIRONMENT, label="Endpoint"
    )
    interface = forms.ChoiceField(choices=[(name, name) for name in INTERFACES], initial=GenerationSettings.interface)
    temperature = forms.FloatField(min_value=0, max_value=HOTTEST, initial=GenerationSettings.temperature)
    max_tokens = NumberField(
        label="Longest answer, in tokens", min_value=1, max_value=MOST_TOKENS, initial=GenerationSettings.max_tokens
    )
    samples = NumberField(
        label="Other samples of each",
        min_value=0,
        max_value=MOST_SAMPLES,
        initial=GenerationSettings.samples,
        help_text="For self-checking; nobody labels them.",
    )
    sample_temperature = forms.FloatField(
        label="Their temperature", min_value=0, max_value=HOTTEST, initial=GenerationSettings.sample_temperature
    )
    limit = NumberField(
        label="Only the first", min_value=1, required=False, help_text="Unanswered prompts. Empty: all."
    )
    field_order = (*GenerationSettings.__dataclass_fields__, "endpoint", "limit", "max_tokens_total", "max_cost")

    def __init__(self, dataset: Dataset, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["endpoint"].queryset = endpoints_of(dataset)  # type: ignore[attr-defined]

    @property
    def settings(self) -> GenerationSettings:
        return GenerationSettings(**{name: self.cleaned_data[name] for name in GenerationSettings.__dataclass_fields__})


class SubjectForm(forms.ModelForm):  # type: ignore[type-arg]
    """Facts about a subject model; empty: not known."""

    open = forms.ChoiceField(label="Open weights", choices=[*OPEN.items()], required=False)

    class Meta:
        model = SubjectModel
        fields = ("name", "base", "size", "taught_by", "open", "released")
        labels = {"base": "Base model", "taught_by": "Trained on answers of"}

    def clean_open(self) -> bool | None:
        return {"yes": True, "no": False}.get(self.cleaned_data["open"])

    def clean_released(self) -> str:
        released: str = self.cleaned_data["released"].strip()
        if released and not MONTH.fullmatch(released):
            raise forms.ValidationError("Write year and month, such as 2023-03.")
        return released
