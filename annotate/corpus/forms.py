"""The form of the import page."""

from typing import Any

from django import forms

from annotate.corpus.formats import FORMATS
from annotate.corpus.importing import LONGEST_NAME
from annotate.corpus.rows import LONGEST_SUBJECT
from annotate.corpus.uploads import may_write
from annotate.models import Import, User
from core.form_fields import UploadField

FORMAT_CHOICES = [
    (Import.Format.RESPONSES.value, "Own responses, labelled by segment"),
    (Import.Format.FOR_FACTS.value, "Own responses, labelled by atomic fact"),
    (Import.Format.FELM.value, "FELM: segments, with labels or without"),
    (Import.Format.FACTSCORE.value, "FActScore: atomic facts, with labels or without"),
]


class UploadForm(forms.Form):
    file = UploadField(
        label="File", help_text="JSON lines, a JSON array, CSV or Parquet, in UTF-8.", command="import_dataset"
    )
    dataset_name = forms.CharField(
        label="Name of the dataset",
        max_length=LONGEST_NAME,
        help_text="A new name creates a dataset. The name of a dataset that you adjudicate adds to it.",
    )
    format = forms.ChoiceField(label="File format", choices=FORMAT_CHOICES)
    subject = forms.CharField(
        label="Subject model",
        max_length=LONGEST_SUBJECT,
        required=False,
        help_text="The model that wrote the responses. Required for FActScore files.",
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_dataset_name(self) -> str:
        name: str = self.cleaned_data["dataset_name"]
        if not may_write(self.user, name):
            raise forms.ValidationError(
                "You may not write into a dataset of this name: it is another's, or making new ones is not among your "
                "rights. An administrator can grant it."
            )
        return name

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        format = cleaned.get("format")
        if format in FORMATS and FORMATS[format].needs_subject and not cleaned.get("subject"):
            self.add_error("subject", "A FActScore file does not say which model wrote it: name it here.")
        return cleaned
