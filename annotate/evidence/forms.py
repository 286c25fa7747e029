"""The form that brings documents."""

from django import forms

from annotate.evidence.import_file import LONGEST_NAME
from annotate.evidence.tokenizers import NAMES
from core.form_fields import UploadField
from core.row_fields import UNSTORABLE

AS_THE_SOURCE = "Like the source (new: sentences)"


class DocumentsForm(forms.Form):
    file = UploadField(
        label="File",
        help_text="JSON lines, a dump in SQLite (.db), or one document as text, HTML or PDF.",
        command="import_documents",
    )
    name = forms.CharField(
        label="Name of the source",
        max_length=LONGEST_NAME,
        help_text="A new name creates a source. An existing name adds to it.",
    )
    tokenizer = forms.ChoiceField(
        label="Documents are cut into passages", required=False, choices=[("", AS_THE_SOURCE), *NAMES.items()]
    )

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if UNSTORABLE.search(name):
            raise forms.ValidationError("The name holds a character that cannot be stored.")
        return name
