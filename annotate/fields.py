"""Fields of forms of several stages."""

import secrets
from typing import Any

from django import forms

LARGEST_SEED = 2**62


class SeedField(forms.IntegerField):
    """The seed of a draw; it is drawn itself where the field is left empty."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(required=False, min_value=0, max_value=LARGEST_SEED, **kwargs)

    def clean(self, value: Any) -> int:
        seed: int | None = super().clean(value)
        return secrets.randbelow(1_000_000) if seed is None else seed


class YesNoField(forms.TypedChoiceField):
    """True, False, or None where it is not answered."""

    def __init__(self, **kwargs: Any) -> None:
        choices = (("yes", "Yes"), ("no", "No"))
        super().__init__(
            choices=choices, required=False, coerce=lambda answer: answer == "yes", empty_value=None, **kwargs
        )
