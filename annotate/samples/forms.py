"""The forms that draw a sample and rate an item."""

import secrets

from django import forms

from annotate.models import Sample
from annotate.samples.draw import MOST_RATERS
from annotate.samples.rate import NOTE_LIMIT, Word

SIZE = 100
RATERS = 3
YES_NO = (("yes", "Yes"), ("no", "No"))


class DrawForm(forms.Form):
    """What to draw, how many, for how many raters each; the seed is drawn where it is left empty."""

    kind = forms.ChoiceField(choices=Sample.Kind.choices, widget=forms.RadioSelect)
    size = forms.IntegerField(min_value=1, initial=SIZE)
    raters = forms.IntegerField(min_value=1, max_value=MOST_RATERS, initial=RATERS)
    seed = forms.IntegerField(required=False, min_value=0, max_value=2**62)

    def clean_seed(self) -> int:
        seed: int | None = self.cleaned_data["seed"]
        return secrets.randbelow(1_000_000) if seed is None else seed


class RateForm(forms.Form):
    """Yes or no to each question that is asked, and a note."""

    reliable = forms.ChoiceField(choices=YES_NO, required=False)
    safe = forms.ChoiceField(choices=YES_NO, required=False)
    valid = forms.ChoiceField(choices=YES_NO, required=False)
    note = forms.CharField(max_length=NOTE_LIMIT, required=False, widget=forms.Textarea(attrs={"rows": 2}))

    def word(self) -> Word:
        said = self.cleaned_data
        answers = {name: said[name] == "yes" if said[name] else None for name in ("reliable", "safe", "valid")}
        return Word(**answers, note=said["note"])
