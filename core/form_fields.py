"""Fields of forms of several stages."""

import secrets
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat

from core.numbers import LARGEST_NUMBER

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


class YesNoField(forms.TypedChoiceField):
    """True, False, or None where it is not answered."""

    def __init__(self, **kwargs: Any) -> None:
        choices = (("yes", "Yes"), ("no", "No"))
        super().__init__(
            choices=choices, required=False, coerce=lambda answer: answer == "yes", empty_value=None, **kwargs
        )
