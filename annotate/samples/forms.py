"""The forms that draw a sample and rate an item."""

from django import forms

from annotate.models import Sample
from annotate.one_by_one import WordError
from annotate.samples.draw import MOST_RATERS
from annotate.samples.rate import NOTE_LIMIT, Word
from core.form_fields import SeedField, YesNoField

SIZE = 100
RATERS = 3


class DrawForm(forms.Form):
    """What to draw, how many, for how many raters each; the seed is drawn where it is left empty."""

    kind = forms.ChoiceField(choices=Sample.Kind.choices, widget=forms.RadioSelect)
    size = forms.IntegerField(min_value=1, initial=SIZE)
    raters = forms.IntegerField(min_value=1, max_value=MOST_RATERS, initial=RATERS)
    seed = SeedField()


class RateForm(forms.Form):
    """Yes or no to each question that is asked, and a note."""

    reliable = YesNoField()
    safe = YesNoField()
    valid = YesNoField()
    note = forms.CharField(max_length=NOTE_LIMIT, required=False, widget=forms.Textarea(attrs={"rows": 2}))

    def word(self) -> Word:
        """Raises WordError."""
        if not self.is_valid():
            raise WordError("The note is too long, or an answer is neither yes nor no.")
        return Word(**self.cleaned_data)
