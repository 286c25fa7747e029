"""The forms that draw a sample and label a candidate."""

from django import forms

from annotate.one_by_one import WordError
from core.form_fields import SeedField, YesNoField
from factor.thresholds.draw import SIZE
from factor.thresholds.label import Said


class DrawForm(forms.Form):
    """How many candidates; the seed is drawn where it is left empty."""

    size = forms.IntegerField(min_value=1, initial=SIZE)
    seed = SeedField()


class LabelForm(forms.Form):
    """Yes or no to both questions."""

    contradictory = YesNoField()
    sound = YesNoField()

    def said(self) -> Said:
        """Raises WordError."""
        if not self.is_valid():
            raise WordError("An answer is yes or no.")
        return Said(**self.cleaned_data)
