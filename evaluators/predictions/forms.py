"""The form that takes in predictions made elsewhere."""

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile


class PredictionsForm(forms.Form):
    """A file of predictions and whose they are."""

    evaluator = forms.CharField(
        max_length=200, label="Name of the evaluator", help_text="New, or one imported before: the file is added to it."
    )
    file = forms.FileField(help_text="JSON lines: index, segment, fact, value, score, rationale.")

    def clean_file(self) -> "UploadedFile[bytes]":
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        if (file.size or 0) > settings.UPLOAD_LIMIT_BYTES:
            limit = settings.UPLOAD_LIMIT_BYTES // 1024**2
            raise ValidationError(f"The file is larger than {limit} MB: use the command import_predictions.")
        return file
