"""The forms that draw a sample and label a candidate, with the questions."""

from django import forms

from core.form_fields import YesNoField
from factor.models import ThresholdLabel
from ratings.forms import DrawForm, RatingForm, questions

SIZE = 40  # FACTOR appendix A.2
QUESTIONS = questions(
    (
        "contradictory",
        "It contradicts the original",
        "If the original is true in this passage, it says something false. Look nothing up.",
    ),
    (
        "sound",
        "It is fluent and consistent with itself",
        "It is grammatical, reads well after the text before it, and could be true by itself.",
    ),
)


class ThresholdDrawForm(DrawForm):
    """The number of candidates."""

    size = forms.IntegerField(label="Candidates", min_value=1, initial=SIZE, help_text="Each error type in its share.")


class ThresholdLabelForm(RatingForm):
    """Yes or no to both questions."""

    rating_class = ThresholdLabel
    UNREADABLE = "An answer is yes or no."

    contradictory = YesNoField()
    sound = YesNoField()
