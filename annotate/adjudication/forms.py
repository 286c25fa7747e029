"""The adjudicator's form: take a side, or write a third; say why."""

from typing import Any

from django import forms

from annotate.adjudication.decide import DecisionError, decide, keep_sentence
from annotate.adjudication.hearing import Hearing
from annotate.labels.judgement import Reference
from annotate.models import User, Value

THIRD, KEEP, IRRELEVANT = "third", "keep", "irrelevant"


class DecisionForm(forms.Form):
    """`choice` is a side's label (its primary key) or "third"; of a whole sentence "irrelevant" or "keep".

    `seen` is the last decision that the page showed.
    """

    choice = forms.CharField(max_length=20, error_messages={"required": "Choose a side, or write a third."})
    value = forms.ChoiceField(choices=Value.choices, required=False)
    error_type = forms.CharField(max_length=50, required=False)
    reason = forms.CharField(required=False)
    references = forms.CharField(required=False)
    why = forms.CharField(error_messages={"required": "Say why: the reason stays with the decision."})
    seen = forms.IntegerField(required=False)

    def settle(self, hearing: Hearing, who: User) -> None:
        """Make the decision of a valid form. Raises DecisionError."""
        said = self.cleaned_data
        if hearing.whole_sentence and said["choice"] == KEEP:
            keep_sentence(hearing.segment.pk, who, said["why"], said["seen"])
            return
        address = (hearing.segment.pk, hearing.fact.pk if hearing.fact else None)
        decide(address, who, **self._judgement(hearing), why=said["why"], seen=said["seen"])

    def _judgement(self, hearing: Hearing) -> dict[str, Any]:
        said = self.cleaned_data
        if hearing.whole_sentence and said["choice"] == IRRELEVANT:
            return {"value": Value.IRRELEVANT.value}
        if said["choice"] == THIRD:
            links = [Reference(line.strip()) for line in said["references"].splitlines() if line.strip()]
            return {
                "value": said["value"],
                "error_type": said["error_type"],
                "reason": said["reason"],
                "references": links,
            }
        taken = hearing.label(int(said["choice"])) if said["choice"].isdecimal() else None
        if taken is None:
            raise DecisionError("this side is not there any more: look again")
        return {
            "value": taken.value,
            "error_type": taken.error_type,
            "reason": taken.reason,
            "references": [Reference.from_link(link) for link in taken.references.all()],
        }
