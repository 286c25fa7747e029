"""The forms that draw a sample, and rate or settle a completion."""

from dataclasses import replace

from django import forms

from annotate.one_by_one import WordError
from core.form_fields import SeedField, YesNoField
from factor.models import ErrorType
from factor.validation.draw import MOST_RATERS
from factor.validation.word import NOTE_LIMIT, Word

# What the authors took of News-FACTOR (§3.3.1).
SIZE = 100
RATERS = 2


class DrawForm(forms.Form):
    """How many examples, for how many raters each; the seed is drawn where it is left empty."""

    size = forms.IntegerField(min_value=1, initial=SIZE)
    raters = forms.IntegerField(min_value=1, max_value=MOST_RATERS, initial=RATERS)
    seed = SeedField()


class WordForm(forms.Form):
    """Yes or no to each question, the error type, and a note."""

    non_factual = YesNoField()
    fluent = YesNoField()
    self_consistent = YesNoField()
    error_type = forms.ChoiceField(choices=ErrorType.choices, required=False)
    note = forms.CharField(max_length=NOTE_LIMIT, required=False)

    def word(self) -> Word:
        """A type that was chosen before the answer became no is dropped; where that is not asked, the type stands.
        Raises WordError."""
        if not self.is_valid():
            raise WordError("The note is too long, or an answer is none of those that can be chosen.")
        word = Word(**self.cleaned_data)
        return replace(word, error_type="") if word.non_factual is False else word
