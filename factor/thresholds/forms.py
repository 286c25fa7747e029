"""The forms that draw a sample and label a candidate."""

import secrets

from django import forms

from factor.thresholds.draw import SIZE
from factor.thresholds.label import Said

YES_NO = (("yes", "Yes"), ("no", "No"))


class DrawForm(forms.Form):
    """How many candidates; the seed is drawn where it is left empty."""

    size = forms.IntegerField(min_value=1, initial=SIZE)
    seed = forms.IntegerField(required=False, min_value=0, max_value=2**62)

    def clean_seed(self) -> int:
        seed: int | None = self.cleaned_data["seed"]
        return secrets.randbelow(1_000_000) if seed is None else seed


class LabelForm(forms.Form):
    """Yes or no to both questions."""

    contradictory = forms.ChoiceField(choices=YES_NO, required=False)
    sound = forms.ChoiceField(choices=YES_NO, required=False)

    def said(self) -> Said:
        """What is neither yes nor no is not said."""
        words = {name: self.cleaned_data.get(name) for name in self.fields}
        return Said(**{name: word == "yes" if word else None for name, word in words.items()})
