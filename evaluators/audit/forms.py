"""The forms of an audit: whom to believe, and what to send."""

import secrets

from django import forms

from annotate.second_look.send import MOST_LOOKERS
from evaluators.audit.send import Wish


class SendForm(forms.Form):
    """How much to send; the seed is drawn where it is left empty."""

    most = forms.IntegerField(label="Candidates at most", min_value=1, max_value=1_000, initial=100)
    controls = forms.IntegerField(label="Controls", min_value=1, max_value=1_000)
    wants = forms.IntegerField(label="People each", min_value=1, max_value=MOST_LOOKERS, initial=1)
    seed = forms.IntegerField(required=False, min_value=0, max_value=2**62)

    def clean_seed(self) -> int:
        seed: int | None = self.cleaned_data["seed"]
        return secrets.randbelow(1_000_000) if seed is None else seed

    def wish(self, least: int, chosen: bool) -> Wish:
        said = self.cleaned_data
        return Wish(least, said["most"], said["controls"], said["wants"], said["seed"], chosen)
