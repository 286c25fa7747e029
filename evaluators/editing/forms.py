"""The forms that draw a sample of edits, and rate one, with the questions."""

from core.form_fields import NumberField, YesNoField
from evaluators.models import EditRating
from ratings.draw import MOST_RATERS
from ratings.forms import NoteField, RatersDrawForm, RatingForm, questions

SIZE = 30
RATERS = 2
QUESTIONS = questions(
    ("accepted", "I accept the edit", "The sentence is right as it reads now, and nothing true was lost."),
    ("new_error", "It brings in a new error", "It says something wrong that the sentence did not say before."),
)


class EditDrawForm(RatersDrawForm):
    size = NumberField(label="How many", min_value=1, initial=SIZE)
    raters = NumberField(label="Raters each", min_value=1, max_value=MOST_RATERS, initial=RATERS)


class EditRatingForm(RatingForm):
    """Yes or no to both questions, and a note."""

    rating_class = EditRating
    UNREADABLE = "The note is too long, or an answer is neither yes nor no."

    accepted = YesNoField()
    new_error = YesNoField()
    note = NoteField()
