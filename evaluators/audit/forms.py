"""The forms of an audit: whom to believe, and what to send."""

from django import forms

from annotate.second_look.send import MOST_LOOKERS
from core.form_fields import SeedField
from evaluators.audit.send import Wish


class SendForm(forms.Form):
    """How much to send; the seed is drawn where it is left empty."""

    most = forms.IntegerField(label="Candidates at most", min_value=1, max_value=1_000, initial=100)
    controls = forms.IntegerField(label="Controls", min_value=1, max_value=1_000)
    wants = forms.IntegerField(label="People each", min_value=1, max_value=MOST_LOOKERS, initial=1)
    seed = SeedField()

    def wish(self, least: int, chosen: bool) -> Wish:
        said = self.cleaned_data
        return Wish(least, said["most"], said["controls"], said["wants"], said["seed"], chosen)
