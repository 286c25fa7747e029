"""The forms that draw a sample and label a candidate, with the questions."""

from core.form_fields import NumberField, YesNoField
from factor.models import ThresholdLabel
from ratings.forms import DrawForm, RatingForm, questions

SIZE = 40  # FACTOR appendix A.2
QUESTIONS = questions(
    (
        "contradictory",
        "It contradicts the original",
        "If the original is true in this passage, it is false. Do not search.",
    ),
    (
        "sound",
        "It is fluent and consistent with itself",
        "It is grammatical, fits the text before it, and could be true.",
    ),
)


class ThresholdDrawForm(DrawForm):
    """The number of candidates."""

    size = NumberField(label="Candidates", min_value=1, initial=SIZE, help_text="Error types keep their shares.")


class ThresholdLabelForm(RatingForm):
    """Yes or no to both questions."""

    rating_class = ThresholdLabel
    UNREADABLE = "An answer is yes or no."

    contradictory = YesNoField()
    sound = YesNoField()
