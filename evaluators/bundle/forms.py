"""What is exported, and what is taken in."""

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile

LONGEST_SUFFIX = 50


class BundleForm(forms.Form):
    """A results bundle from elsewhere."""

    file = forms.FileField(help_text="A zip file that was exported by Touchstone.")
    suffix = forms.CharField(
        max_length=LONGEST_SUFFIX,
        required=False,
        strip=False,
        label="Add to the evaluators' names",
        help_text="Such as “ (lab B)”, where evaluators of the same name have runs of their own here.",
    )
    other_gold = forms.BooleanField(required=False, label="Take the runs although gold differs here")

    def clean_file(self) -> "UploadedFile[bytes]":
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        if (file.size or 0) > settings.UPLOAD_LIMIT_BYTES:
            limit = settings.UPLOAD_LIMIT_BYTES // 1024**2
            raise ValidationError(f"The file is larger than {limit} MB: use the command import_results.")
        return file
