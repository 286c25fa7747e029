"""The adjudicator's form: take a side, or write a third; say why."""

from typing import Any

from django import forms

from annotate.adjudication.adjudication_case import AdjudicationCase
from annotate.adjudication.decide import DecisionError, Note, decide, keep_sentence
from annotate.judgements.entries import parse_reference
from annotate.judgements.judgement import CitedReference, JudgementError, UnitJudgement
from annotate.labels.changes import check_sources
from annotate.models import Disagreement, Irrelevance, Unsupported, User, Value
from core.errors import RowError
from core.form_fields import NumberField
from core.json_limits import parse_json
from core.numbers import read_number

THIRD, KEEP, IRRELEVANT = "third", "keep", "irrelevant"


class DecisionForm(forms.Form):
    """`choice` is a side's label (its primary key) or "third"; of a whole sentence "irrelevant" or "keep".

    `seen` is the last decision that the page showed; `cards` are those that the adjudicator cites, as JSON.
    """

    choice = forms.CharField(max_length=20, error_messages={"required": "Choose a side, or write a third."})
    value = forms.ChoiceField(choices=Value.choices, required=False)
    error_type = forms.CharField(max_length=50, required=False)
    reason = forms.CharField(required=False)
    irrelevance = forms.ChoiceField(choices=Irrelevance.choices, required=False)
    references = forms.CharField(required=False)
    cards = forms.CharField(required=False)
    with_others_cards = forms.BooleanField(required=False)
    category = forms.ChoiceField(choices=Disagreement.choices, required=False)
    tag = forms.ChoiceField(choices=Unsupported.choices, required=False)
    cites = forms.CharField(max_length=500, required=False)
    why = forms.CharField(error_messages={"required": "Say why: the reason stays with the decision."})
    seen = NumberField(required=False)

    def clean_cards(self) -> list[CitedReference]:
        """Each with the fields of a draft's reference, and the title that the page shows."""
        try:
            sent = parse_json(self.cleaned_data["cards"].encode() or b"[]")
        except (ValueError, RowError) as error:
            raise forms.ValidationError("The evidence is no JSON.") from error
        if not isinstance(sent, list) or not all(isinstance(card, dict) for card in sent):
            raise forms.ValidationError("The evidence is no list of cards.")
        try:
            return [parse_reference("the decision", _without_title(card)) for card in sent]
        except JudgementError as error:
            raise forms.ValidationError(f"Not settled: {error}.") from error

    def settle(self, adjudication_case: AdjudicationCase, who: User) -> None:
        """Make the decision of a valid form. Raises DecisionError."""
        data = self.cleaned_data
        note = Note(data["category"], data["tag"], data["cites"])
        if adjudication_case.whole_sentence and data["choice"] == KEEP:
            if data["cards"]:
                raise DecisionError("evidence belongs to a judgement: cite it at the facts")
            keep_sentence(adjudication_case.segment.pk, who, data["why"], note, data["seen"])
            return
        address = (adjudication_case.segment.pk, adjudication_case.fact.pk if adjudication_case.fact else None)
        decide(address, who, **self._judgement(adjudication_case), why=data["why"], note=note, seen=data["seen"])

    def _judgement(self, adjudication_case: AdjudicationCase) -> dict[str, Any]:
        judgement = self._chosen_judgement(adjudication_case)
        judgement["references"] = self._with_own_cards(adjudication_case, judgement.get("references", []))
        # A type that was chosen before the value was changed is still in the form, or with the label that is taken; it
        # belongs to errors only.
        return judgement if judgement["value"] in ("", Value.NOT_SUPPORTED) else {**judgement, "error_type": ""}

    def _with_own_cards(self, adjudication_case: AdjudicationCase, cards: list[CitedReference]) -> list[CitedReference]:
        """The cards and then the adjudicator's own, whose stance counts where both cite the same."""
        own: list[CitedReference] = self.cleaned_data["cards"]
        try:
            check_sources(adjudication_case.segment.response.dataset, [UnitJudgement(references=tuple(own))])
        except JudgementError as error:
            raise DecisionError(str(error)) from error
        cited = {(card.url, card.document, card.quote) for card in own}
        return [card for card in cards if (card.url, card.document, card.quote) not in cited] + own

    def _chosen_judgement(self, adjudication_case: AdjudicationCase) -> dict[str, Any]:
        data = self.cleaned_data
        if adjudication_case.whole_sentence and data["choice"] == IRRELEVANT:
            return {"value": Value.IRRELEVANT.value}
        if data["choice"] == THIRD:
            links = [CitedReference(line.strip()) for line in data["references"].splitlines() if line.strip()]
            return {
                "value": data["value"],
                "error_type": data["error_type"],
                "irrelevance": data["irrelevance"],
                "reason": data["reason"],
                "references": links + self._cards_of_others(adjudication_case, []),
            }
        choice = read_number(data["choice"])
        taken = None if choice is None else adjudication_case.label(choice)
        if taken is None:
            raise DecisionError("this side has changed: reload the page")
        cards = [CitedReference.from_link(link) for link in taken.references.all()]
        return {
            "value": taken.value,
            "error_type": taken.error_type,
            "irrelevance": taken.irrelevance,
            "reason": taken.reason,
            "references": cards + self._cards_of_others(adjudication_case, cards),
        }

    def _cards_of_others(
        self, adjudication_case: AdjudicationCase, cards: list[CitedReference]
    ) -> list[CitedReference]:
        """Cards of the sides that are missing in `cards`, if these go to gold as well."""
        if not self.cleaned_data["with_others_cards"]:
            return []
        every = dict.fromkeys(card for side in adjudication_case.sides for card in side.cards)
        return [card for card in every if card not in cards]


def _without_title(card: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in card.items() if name != "title"}
