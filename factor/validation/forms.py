"""The forms that draw a sample, rate or settle a completion, and leave an example out."""

import secrets

from django import forms

from factor.models import ErrorType
from factor.validation.draw import MOST_RATERS
from factor.validation.exclude import REASON_LIMIT
from factor.validation.word import NOTE_LIMIT, QUESTIONS, Word

# What the authors took of News-FACTOR (§3.3.1).
SIZE = 100
RATERS = 2
YES_NO = (("yes", "Yes"), ("no", "No"))


class DrawForm(forms.Form):
    """How many examples, for how many raters each; the seed is drawn where it is left empty."""

    size = forms.IntegerField(min_value=1, initial=SIZE)
    raters = forms.IntegerField(min_value=1, max_value=MOST_RATERS, initial=RATERS)
    seed = forms.IntegerField(required=False, min_value=0, max_value=2**62)

    def clean_seed(self) -> int:
        seed: int | None = self.cleaned_data["seed"]
        return secrets.randbelow(1_000_000) if seed is None else seed


class WordForm(forms.Form):
    """Yes or no to each question, the error type, and a note."""

    non_factual = forms.ChoiceField(choices=YES_NO, required=False)
    fluent = forms.ChoiceField(choices=YES_NO, required=False)
    self_consistent = forms.ChoiceField(choices=YES_NO, required=False)
    error_type = forms.ChoiceField(choices=ErrorType.choices, required=False)
    note = forms.CharField(max_length=NOTE_LIMIT, required=False)

    def word(self) -> Word:
        """A type that was chosen before the answer became no is dropped; where that is not asked, the type stands."""
        said = self.cleaned_data
        answers = {name: said[name] == "yes" if said[name] else None for name in QUESTIONS}
        return Word(
            **answers, error_type="" if answers["non_factual"] is False else said["error_type"], note=said["note"]
        )


class ExcludeForm(forms.Form):
    reason = forms.CharField(max_length=REASON_LIMIT)
