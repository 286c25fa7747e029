"""Fields of forms of several stages."""

import secrets
from collections.abc import Sequence
from os.path import commonprefix
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any
from zipfile import ZipFile

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat

from core.numbers import LARGEST_NUMBER
from core.rows.folders import ARROW_ENDINGS, ENDINGS, STATE

LARGEST_SEED = 2**62


class NumberField(forms.IntegerField):
    """A whole number that every database can take."""

    def __init__(self, *, max_value: int = LARGEST_NUMBER, **kwargs: Any) -> None:
        super().__init__(max_value=max_value, **kwargs)


class SeedField(forms.IntegerField):
    """The seed of a draw; it is drawn itself where the field is left empty."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, min_value=0, max_value=LARGEST_SEED, **kwargs)

    def clean(self, value: Any) -> int:
        seed: int | None = super().clean(value)
        return secrets.randbelow(1_000_000) if seed is None else seed


class UploadField(forms.FileField):
    """A file of at most UPLOAD_LIMIT_BYTES; the `command` takes in a larger one."""

    def __init__(self, *, command: str, **kwargs: Any) -> None:
        super().__init__(max_length=200, **kwargs)
        self.command = command

    def validate(self, value: "UploadedFile[bytes] | None") -> None:
        super().validate(value)
        size = (value and value.size) or 0
        if size > settings.UPLOAD_LIMIT_BYTES:
            limit = filesizeformat(settings.UPLOAD_LIMIT_BYTES)
            raise ValidationError(
                f"The file has {filesizeformat(size)}; {limit} come by this page. A larger one goes in by the command "
                f"{self.command}."
            )


class FilesInput(forms.FileInput):
    allow_multiple_selected = True


class FolderInput(FilesInput):
    """A browser sends all files of the folder that is chosen."""

    def __init__(self) -> None:
        super().__init__(attrs={"webkitdirectory": True})


class FilesField(UploadField):
    """One file, or several, which are packed into a zip as they come; None for none. Together they have at most
    UPLOAD_LIMIT_BYTES."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> Any:
        of_folder = isinstance(self.widget, FolderInput)
        # A folder holds other files too, also empty ones.
        sent = [file for file in data if file.size or not of_folder] if isinstance(data, list) else [data]
        files = [super(FilesField, self).clean(file, initial) for file in sent or [None]]
        if len(files) < 2:
            return files[0]
        names = [Path(file.name) for file in files]
        kinds = sorted({name.suffix.lower() for name in names})
        if len(kinds) > 1 and not of_folder and Path(STATE) not in names:
            raise ValidationError(f"The files are of several kinds ({', '.join(kinds)}): choose files of one kind.")
        whole = pack(files)
        self.validate(whole)
        return whole


def pack(files: "Sequence[UploadedFile[bytes]]") -> "UploadedFile[bytes]":
    """A zip of the files, named by what begins the names of those with rows, else by the first of these. Files of one
    name stand in folders; nothing is compressed, so that the zip is as large as they are."""
    names = [file.name or "file" for file in files]
    of_rows = [name for name in names if name.lower().endswith((*ARROW_ENDINGS, *ENDINGS))] or names
    stems = [Path(name).stem for name in of_rows]
    start = commonprefix(stems).rstrip(" -_.0123456789") or stems[0]  # noqa: RUF071 - of characters
    packed = SpooledTemporaryFile(settings.FILE_UPLOAD_MAX_MEMORY_SIZE)  # noqa: SIM115 - it is read by the caller
    with ZipFile(packed, "w") as archive:
        for number, file in enumerate(files):
            name = names[number]
            with archive.open(
                name if name not in names[:number] else f"{number}/{name}", "w", force_zip64=True
            ) as entry:
                for chunk in file.chunks():
                    entry.write(chunk)
    size = packed.tell()
    packed.seek(0)
    return UploadedFile(packed, f"{start}.zip", "application/zip", size)


class YesNoField(forms.TypedChoiceField):
    """True, False, or None where it is not answered."""

    def __init__(self, **kwargs: Any) -> None:
        choices = (("yes", "Yes"), ("no", "No"))
        super().__init__(
            choices=choices, required=False, coerce=lambda answer: answer == "yes", empty_value=None, **kwargs
        )
