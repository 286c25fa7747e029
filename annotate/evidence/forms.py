"""The form that brings documents."""

from typing import Any

from django import forms
from django.conf import settings
from django.template.defaultfilters import filesizeformat

from annotate.corpus.fields import UNSTORABLE
from annotate.evidence.import_file import LONGEST_NAME
from annotate.evidence.tokenizers import NAMES

AS_THE_SOURCE = "As the source has it; in a new one whole sentences"


class DocumentsForm(forms.Form):
    file = forms.FileField(
        label="File",
        help_text="JSON lines, a dump in SQLite (.db), or one document as text, HTML or PDF.",
        max_length=200,
    )
    name = forms.CharField(
        label="Name of the source",
        max_length=LONGEST_NAME,
        help_text="A new name makes a source, one that is there is added to.",
    )
    tokenizer = forms.ChoiceField(
        label="Documents are cut into passages", required=False, choices=[("", AS_THE_SOURCE), *NAMES.items()]
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > settings.UPLOAD_LIMIT_BYTES:
            limit = filesizeformat(settings.UPLOAD_LIMIT_BYTES)
            raise forms.ValidationError(
                f"The file has {filesizeformat(file.size)}; {limit} come by this page. A larger one goes in by the "
                "command import_documents."
            )
        return file

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if UNSTORABLE.search(name):
            raise forms.ValidationError("The name holds a character that cannot be stored.")
        return name
