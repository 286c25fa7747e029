"""The form that brings documents."""

from typing import Any

from django import forms

from annotate.evidence.import_file import DUMPS, LONGEST_NAME
from annotate.evidence.tokenizers import NAMES
from annotate.evidence.uploads import SentDocuments
from annotate.models.document_upload import dumps_folder
from core.form_fields import UploadField
from core.row_fields import UNSTORABLE

AS_THE_SOURCE = "Like the source (new: sentences)"


class DocumentsForm(forms.Form):
    """`dump` is offered where the server has one."""

    file = UploadField(
        label="File",
        help_text="JSON lines, a dump in SQLite (.db), or one document as text, HTML or PDF.",
        command="import_documents",
        required=False,
    )
    dump = forms.ChoiceField(
        label="Or a dump on the server",
        required=False,
        choices=lambda: [("", "None"), *((name, name) for name in stored_dumps())],
        help_text="It is not copied: its pages are read where it lies.",
    )
    topics_only = forms.BooleanField(
        label="Only the pages of this dataset's topics",
        required=False,
        help_text="Topics are matched with titles and redirects. For a large dump this takes minutes instead of hours.",
    )
    name = forms.CharField(
        label="Name of the source",
        max_length=LONGEST_NAME,
        help_text="A new name creates a source. An existing name adds to it.",
    )
    tokenizer = forms.ChoiceField(
        label="Documents are cut into passages", required=False, choices=[("", AS_THE_SOURCE), *NAMES.items()]
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not stored_dumps():
            del self.fields["dump"]
            self.fields["file"].required = True

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if UNSTORABLE.search(name):
            raise forms.ValidationError("The name holds a character that cannot be stored.")
        return name

    def clean(self) -> None:
        sent = [name for name in ("file", "dump") if self.cleaned_data.get(name)]
        if "dump" in self.fields and "file" not in self.errors and len(sent) != 1:
            self.add_error("file", "Choose a file or a dump on the server, one of them.")

    def sent(self) -> SentDocuments:
        """What a valid form says."""
        return SentDocuments(**{"dump": "", **self.cleaned_data})


def stored_dumps() -> list[str]:
    """The names of the dumps that the server has, by name."""
    folder = dumps_folder()
    return sorted(path.name for path in folder.iterdir() if path.suffix in DUMPS) if folder.is_dir() else []
