"""The forms of open-ended generation: a study, a minimal fact, a label."""

from typing import Any

from django import forms
from django.db.models import QuerySet

from annotate.grants.endpoints import endpoints_of
from annotate.models import Dataset
from core.form_fields import NumberField, SeedField
from factor.models import OpenEndedLabel, Scoring
from factor.models.open_ended import OF_PAIR, LabelAnswer
from factor.open_ended.facts import LONGEST_FACT
from factor.open_ended.start import HOTTEST, MOST_CHARACTERS, MOST_GENERATIONS, MOST_RATERS, MOST_TOKENS, Design
from jobs.forms import LimitsForm
from llm.models import Endpoint
from ratings.errors import RatingError
from ratings.forms import NoteField, RatingForm
from ratings.models import NOTE_LIMIT

USUAL = Design(seed=0)


class StudyForm(LimitsForm):
    """The scored model, and the design of the study."""

    scoring = forms.ModelChoiceField(
        Scoring.objects.none(),
        empty_label=None,
        label="Scored model",
        help_text="Its scores give the right and the wrong pairs.",
    )
    endpoint = forms.ModelChoiceField(
        Endpoint.objects.none(),
        required=False,
        empty_label="the model's own",
        label="Endpoint",
        help_text="Required for local models: only endpoints write texts.",
    )
    reached_as = forms.CharField(
        required=False, max_length=300, label="Name at the endpoint", help_text="Empty: the name of the scoring."
    )
    per_group = NumberField(label="Pairs per group", min_value=1, initial=USUAL.per_group)
    generations = NumberField(
        label="Texts per pair", min_value=1, max_value=MOST_GENERATIONS, initial=USUAL.generations
    )
    raters = NumberField(label="Annotators per text", min_value=1, max_value=MOST_RATERS, initial=USUAL.raters)
    temperature = forms.FloatField(min_value=0, max_value=HOTTEST, initial=USUAL.temperature)
    answer_tokens = NumberField(
        label="Maximum text, in tokens", min_value=1, max_value=MOST_TOKENS, initial=USUAL.answer_tokens
    )
    prompt_characters = NumberField(
        label="Maximum prompt, in characters",
        min_value=1,
        max_value=MOST_CHARACTERS,
        initial=USUAL.prompt_characters,
        help_text="Longer prompts are cut on the left. 4,000 characters of English are about 900 tokens.",
    )
    seed = SeedField(help_text="Empty: random, and stored.")

    def __init__(self, dataset: Dataset, scorings: QuerySet[Scoring], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["endpoint"].queryset = endpoints_of(dataset)  # type: ignore[attr-defined]
        choice: Any = self.fields["scoring"]
        choice.queryset, choice.label_from_instance = scorings, _named
        self.order_fields([name for name in self.fields if name not in LimitsForm.base_fields])

    def clean(self) -> dict[str, Any]:
        """Endpoint and name default to the model's own; a model of local weights has neither."""
        values = super().clean() or self.cleaned_data
        scoring = values.get("scoring")
        if scoring is None:
            return values
        if scoring.model.endpoint is not None:
            values["endpoint"] = values.get("endpoint") or scoring.model.endpoint
            values["reached_as"] = values.get("reached_as") or scoring.model.reached_as
        if not values.get("endpoint"):
            self.add_error("endpoint", f"{scoring.model} has its weights here: choose an endpoint that serves it.")
        elif not values.get("reached_as"):
            self.add_error("reached_as", f"Enter the name of {scoring.model} at {values['endpoint']}.")
        return values

    @property
    def design(self) -> Design:
        return Design(**{name: self.cleaned_data[name] for name in vars(USUAL)})


def _named(scoring: Scoring) -> str:
    """The name of a scoring; several scorings of one model differ in their context."""
    return f"{scoring.model}, context of {scoring.context_length:,} tokens (no. {scoring.pk})"


class FactForm(RatingForm):
    """The minimal fact of a pair, or the reason to leave the pair out."""

    UNREADABLE = "The fact is too long, or the reason is not a possible choice."

    fact = forms.CharField(required=False, max_length=LONGEST_FACT)
    excluded = forms.ChoiceField(
        required=False, choices=[("", ""), *((reason.value, reason.label) for reason in OF_PAIR)]
    )


class OpenEndedLabelForm(RatingForm):
    """The answer to a text, and a note."""

    rating_class = OpenEndedLabel

    answer = forms.ChoiceField(choices=LabelAnswer.choices)
    note = NoteField()

    def label(self) -> dict[str, str]:
        """The answer and the note. Raises RatingError."""
        if "answer" in self.errors:
            raise RatingError("Choose true, false or neutral, or a reason to leave the text out.")
        if "note" in self.errors:
            raise RatingError(f"The note may be {NOTE_LIMIT:,} characters long, without a null character.")
        return self.cleaned_data
