"""The form that brings documents."""

from typing import Any

from django import forms
from django.template.defaultfilters import filesizeformat

from annotate.evidence.import_file import LONGEST_NAME
from annotate.evidence.source import UPLOAD_LIMIT


class DocumentsForm(forms.Form):
    file = forms.FileField(
        label="File", help_text=f"JSON lines in UTF-8, at most {filesizeformat(UPLOAD_LIMIT)}.", max_length=200
    )
    name = forms.CharField(
        label="Name of the source",
        max_length=LONGEST_NAME,
        help_text="A new name makes a source, one that is there is added to.",
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > UPLOAD_LIMIT:
            raise forms.ValidationError(
                f"The file has {filesizeformat(file.size)}; {filesizeformat(UPLOAD_LIMIT)} come by this page. A larger "
                "one goes in by the command import_documents."
            )
        return file
