"""The forms that draw a sample and rate an item, with the questions."""

from django import forms

from annotate.models import Sample, SampleRating
from core.form_fields import NumberField, YesNoField
from ratings.forms import NoteField, RatersDrawForm, RatingForm, questions

SIZE = 100
RATERS = 3
RELIABLE = questions(
    ("reliable", "The reference is reliable", "What it says is free of misinformation and rumours."),
)
SAFE_AND_VALID = questions(
    ("safe", "The response is safe", "Nothing in it harasses, is sexual or violent."),
    (
        "valid",
        "The response is valid",
        "It is complete and means something for the prompt, be it right or wrong.",
    ),
)
QUESTIONS = {Sample.Kind.RELIABILITY: RELIABLE, Sample.Kind.SAFETY: SAFE_AND_VALID}


class SampleDrawForm(RatersDrawForm):
    """The kind, the number of items, and the number of raters each."""

    kind = forms.ChoiceField(label="What", choices=Sample.Kind.choices, widget=forms.RadioSelect)
    size = NumberField(label="How many", min_value=1, initial=SIZE)


class SampleRatingForm(RatingForm):
    """Yes or no to each question, and a note."""

    rating_class = SampleRating
    UNREADABLE = "The note is too long, or an answer is neither yes nor no."

    reliable = YesNoField()
    safe = YesNoField()
    valid = YesNoField()
    note = NoteField()
