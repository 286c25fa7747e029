"""The forms of the prompts' page."""

import re
from typing import Any

from django import forms

from annotate.models import SubjectModel
from annotate.prompts.start import HOTTEST, LONGEST_NAME, MOST_SAMPLES, MOST_TOKENS, Asked
from llm.interfaces import INTERFACES
from llm.models import Endpoint

LARGEST_FILE = 20 * 1024 * 1024
MONTH = re.compile(r"[12]\d{3}-(0[1-9]|1[0-2])")
OPEN = {"": "not known", "yes": "yes", "no": "no"}


class PromptsForm(forms.Form):
    file = forms.FileField(label="Prompts, JSON lines")

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > LARGEST_FILE:
            raise forms.ValidationError("The file has more than 20 MB: use manage.py import_prompts.")
        return file


class AskForm(forms.Form):
    """Which model is to answer, and how."""

    model = forms.CharField(label="Model to ask", max_length=LONGEST_NAME)
    subject = forms.CharField(
        label="Name of the subject", max_length=LONGEST_NAME, required=False, help_text="Empty: as the model."
    )
    endpoint = forms.ModelChoiceField(
        Endpoint.objects.all(), required=False, empty_label="that of the environment", label="Endpoint"
    )
    interface = forms.ChoiceField(choices=[(name, name) for name in INTERFACES], initial=Asked.interface)
    temperature = forms.FloatField(min_value=0, max_value=HOTTEST, initial=Asked.temperature)
    max_tokens = forms.IntegerField(
        label="Longest answer, in tokens", min_value=1, max_value=MOST_TOKENS, initial=Asked.max_tokens
    )
    samples = forms.IntegerField(
        label="Other samples of each",
        min_value=0,
        max_value=MOST_SAMPLES,
        initial=Asked.samples,
        help_text="For self-checking; nobody labels them.",
    )
    sample_temperature = forms.FloatField(
        label="Their temperature", min_value=0, max_value=HOTTEST, initial=Asked.sample_temperature
    )
    limit = forms.IntegerField(label="Only the first", min_value=1, required=False, help_text="Empty: all.")

    @property
    def asked(self) -> Asked:
        return Asked(**{name: self.cleaned_data[name] for name in Asked.__dataclass_fields__})


class SubjectForm(forms.ModelForm):  # type: ignore[type-arg]
    """What is known of a subject model; empty: not known."""

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
