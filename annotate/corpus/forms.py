"""The form of the import page."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from annotate.corpus.find_recipe import find_recipe, recipe_choices
from annotate.corpus.formats import FORMATS
from annotate.corpus.importing import LONGEST_NAME
from annotate.corpus.languages import LANGUAGES
from annotate.corpus.recipe import Outcome, Recipe
from annotate.corpus.recipe_parser import parse_recipe_text
from annotate.corpus.released_sentences import RELEASED, REPAIRED
from annotate.corpus.rows import LONGEST_SUBJECT
from annotate.corpus.several_files import FilesField, FolderInput
from annotate.corpus.uploads import may_write
from annotate.models import Dataset, Import, Upload, User
from core.errors import DataError
from core.form_fields import UploadField

FORMAT_CHOICES = [
    (Import.Format.RESPONSES.value, "Own responses, labelled by segment"),
    (Import.Format.FOR_FACTS.value, "Own responses, labelled by atomic fact"),
    (Import.Format.FELM.value, "FELM: segments, with labels or without"),
    (Import.Format.FACTSCORE.value, "FActScore: atomic facts, with labels or without"),
    (Import.Format.CLAIMS.value, "Claims against a source, with labels or without"),
    (Import.Format.MAPPED.value, "Another data set, by a recipe"),
]
# The profiles of SPLITTERS.
SENTENCE_CHOICES = [
    (REPAIRED, "Touchstone's rules, for each response's language"),
    (RELEASED, "As FActScore's published code, for English"),
    *((code, f"Touchstone's rules for {name}") for code, name in sorted(LANGUAGES.items(), key=lambda item: item[1])),
]
MEANINGS = [("", "Skip these rows"), *((outcome.value, outcome.words) for outcome in Outcome)]
# The fields of a file, as `receive` and `checked` take them.
UPLOAD_FIELDS = ("file", "dataset_name", "format", "subject", "recipe", "sentences")


class UploadForm(forms.Form):
    file = UploadField(
        label="File",
        help_text="JSON lines, a JSON array, CSV, a spreadsheet, Parquet or Arrow; or a zip of a folder of them.",
        command="import_dataset",
    )
    dataset_name = forms.CharField(
        label="Name of the dataset",
        max_length=LONGEST_NAME,
        required=False,
        help_text="A new name creates a dataset. The name of a dataset that you adjudicate adds to it. Empty: the "
        "name of the file.",
    )
    format = forms.ChoiceField(
        label="File format", choices=[("", "Recognise the file"), *FORMAT_CHOICES], required=False
    )
    subject = forms.CharField(
        label="Subject model",
        max_length=LONGEST_SUBJECT,
        required=False,
        help_text="The model that wrote the responses. Required for FActScore files.",
    )
    recipe = forms.CharField(
        label="Recipe",
        required=False,
        help_text="For a data set of another form: how its fields and labels are read.",
        widget=forms.Select,
    )
    sentences = forms.ChoiceField(
        label="Sentences",
        choices=SENTENCE_CHOICES,
        required=False,
        help_text="How a response without segments is split.",
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        none = ("", "None: map the fields on the next page where they are not recognised")
        self.fields["recipe"].widget.choices = [none, *recipe_choices(user)]

    def clean_recipe(self) -> Recipe | None:
        """By name; or as JSON, which the API may send."""
        named: str = self.cleaned_data["recipe"]
        if not named:
            return None
        try:
            return parse_recipe_text(named.encode(), "recipe") if named[0] == "{" else find_recipe(named, self.user)
        except DataError as error:
            raise forms.ValidationError(str(error)) from None

    def clean_dataset_name(self) -> str:
        name: str = self.cleaned_data["dataset_name"] or self._name_of_file()
        if not may_write(self.user, name):
            raise forms.ValidationError(
                "You may not write into a dataset of this name: it is another's, or making new ones is not among your "
                "rights. An administrator can grant it."
            )
        return name

    def _name_of_file(self) -> str:
        """Without its endings. Raises ValidationError where a dataset has it: nobody adds to one without naming it."""
        if (file := self.cleaned_data.get("file")) is None:
            return ""
        name: str = file.name.partition(".")[0][:LONGEST_NAME].strip()
        if not name or Dataset.objects.filter(name=name).exists():
            raise forms.ValidationError("Give the dataset a name: that of the file is taken already.")
        return name

    def clean_sentences(self) -> str:
        chosen: str = self.cleaned_data["sentences"]
        return chosen or REPAIRED

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        format = cleaned.get("format")
        if format in FORMATS and FORMATS[format].needs_subject and not cleaned.get("subject"):
            self.add_error("subject", "A FActScore file does not say which model wrote it: name it here.")
        if cleaned.get("recipe") and not format:
            cleaned["format"] = Import.Format.MAPPED.value
        elif cleaned.get("recipe") and format not in (None, Import.Format.MAPPED):
            self.add_error("recipe", "A recipe is for the file format “Another data set, by a recipe” (mapped).")
        return cleaned


class UploadPageForm(UploadForm):
    """As a page has it: several files, or a folder of them, come as a zip."""

    file = FilesField(
        label="File",
        required=False,
        help_text="JSON lines, a JSON array, CSV, a spreadsheet, Parquet or Arrow: one file, several of one kind, or "
        "a zip.",
        command="import_dataset",
    )
    folder = FilesField(
        label="Folder",
        required=False,
        help_text="In place of the file: all files in it, of one kind.",
        command="import_dataset",
        widget=FolderInput,
    )
    field_order = ("file", "folder")

    def clean_folder(self) -> "UploadedFile[bytes] | None":
        """The file of the form is that of the folder where this is chosen."""
        cleaned = self.cleaned_data
        if "file" in cleaned and cleaned["file"] is None:
            cleaned["file"] = cleaned["folder"]
        if "file" in cleaned and cleaned["file"] is None:
            self.add_error("file", "Choose a file.")
        return None


class MeaningsForm(forms.Form):
    """A meaning for each label of the rows that cannot be taken, by the number of its kind; rows without one are
    skipped. `kinds` are all kinds, with their field."""

    def __init__(self, upload: Upload, *args: Any) -> None:
        super().__init__(*args)
        self.refused: list[dict[str, Any]] = upload.preview.get("refused", [])
        for number, kind in enumerate(self.refused):
            if kind["said"] is not None and upload.recipe:
                self.fields[f"meaning-{number}"] = forms.ChoiceField(
                    label=f"What the label {kind['said'] or '(empty)'} means", choices=MEANINGS, required=False
                )

    @property
    def kinds(self) -> list[tuple[dict[str, Any], forms.BoundField | None]]:
        names = [f"meaning-{number}" for number in range(len(self.refused))]
        return [
            (kind, self[name] if name in self.fields else None) for kind, name in zip(self.refused, names, strict=True)
        ]

    @property
    def meanings(self) -> dict[str, str]:
        chosen = {kind["said"]: self.cleaned_data.get(field.name, "") for kind, field in self.kinds if field}
        return {label: meaning for label, meaning in chosen.items() if meaning}
