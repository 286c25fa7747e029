"""The forms that draw a sample, and rate or settle a completion, with their questions."""

from dataclasses import dataclass

from django import forms

from core.form_fields import NumberField, YesNoField
from factor.models import CompletionRating, FactorErrorType
from ratings.draw import MOST_RATERS
from ratings.forms import NoteField, RatersDrawForm, RatingForm, questions

# The sample of the authors from News-FACTOR (§3.3.1).
SIZE = 100
RATERS = 2
QUESTIONS = questions(
    (
        "non_factual",
        "It contradicts the original",
        "If the original is true, it is false. A change of wording alone is no contradiction.",
    ),
    ("fluent", "It is fluent", "It is grammatical and reads naturally in this context."),
    (
        "self_consistent",
        "It is consistent in itself",
        "It could be true: no part contradicts another part or common knowledge.",
    ),
)


@dataclass(frozen=True)
class TypeChoice:
    """An error type to choose, with its key of the keyboard."""

    value: str
    label: str
    help: str
    key: str


TYPE_CHOICES = (
    TypeChoice(FactorErrorType.ENTITY, "Entity", "wrong subject or object", "e"),
    TypeChoice(FactorErrorType.PREDICATE, "Predicate", "wrong action or property", "p"),
    TypeChoice(FactorErrorType.CIRCUMSTANCE, "Circumstance", "wrong time, place, manner or amount", "c"),
    TypeChoice(FactorErrorType.COREFERENCE, "Coreference", "wrong pronoun or other reference", "o"),
    TypeChoice(FactorErrorType.LINK, "Link", "wrong relation between statements, such as before or because", "k"),
)


class ValidationDrawForm(RatersDrawForm):
    """The number of examples, and the number of raters each."""

    size = NumberField(label="Examples", min_value=1, initial=SIZE)
    raters = NumberField(label="Raters per example", min_value=1, max_value=MOST_RATERS, initial=RATERS)


class VerdictForm(RatingForm):
    """Yes or no to each question, the error type, and a note."""

    rating_class = CompletionRating
    UNREADABLE = "The note is too long, or an answer is not a possible choice."

    non_factual = YesNoField()
    fluent = YesNoField()
    self_consistent = YesNoField()
    error_type = forms.ChoiceField(choices=FactorErrorType.choices, required=False)
    note = NoteField()

    def rating(self) -> CompletionRating:
        """A type chosen before the answer became no is dropped; where that question is not asked, the type stays.

        Raises RatingError.
        """
        rating = CompletionRating(**self.checked())
        if rating.non_factual is False:
            rating.error_type = ""
        return rating
