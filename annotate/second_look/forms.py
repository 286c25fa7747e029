"""What a looker says of a unit."""

from django import forms

from annotate.judgements.judgement import REASON_LIMIT, Judgement, Reference
from annotate.models import Irrelevance, Value
from annotate.one_by_one import WordError


class LookForm(forms.Form):
    value = forms.ChoiceField(choices=Value.choices, error_messages={"required": "Choose a value."})
    error_type = forms.CharField(max_length=50, required=False)
    irrelevance = forms.ChoiceField(choices=Irrelevance.choices, required=False)
    reason = forms.CharField(max_length=REASON_LIMIT, required=False)
    links = forms.CharField(max_length=REASON_LIMIT, required=False)

    def judgement(self) -> Judgement:
        """Raises WordError."""
        if not self.is_valid():
            raise WordError(" ".join(str(error) for errors in self.errors.values() for error in errors))
        said = self.cleaned_data
        links = tuple(Reference(line.strip()) for line in said["links"].splitlines() if line.strip())
        # A type chosen before the value was changed is still in the form; it belongs to errors only.
        error_type = "" if said["value"] == Value.SUPPORTED else said["error_type"]
        return Judgement(said["value"], error_type, said["reason"].strip(), links, said["irrelevance"])
