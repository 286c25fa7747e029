"""Several files of a form, or a folder of them, as one zip."""

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

from core.form_fields import UploadField
from core.rows.folders import ARROW_ENDINGS, ENDINGS, STATE


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
