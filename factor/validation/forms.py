"""The forms that draw a sample, and rate or settle a completion, with their questions."""

from dataclasses import dataclass

from django import forms

from core.form_fields import YesNoField
from factor.models import CompletionRating, FactorErrorType
from ratings.draw import MOST_RATERS
from ratings.forms import NoteField, RatersDrawForm, RatingForm, questions

# The sample of the authors from News-FACTOR (§3.3.1).
SIZE = 100
RATERS = 2
QUESTIONS = questions(
    (
        "non_factual",
        "Does it contradict the original?",
        "If the original is true, it cannot be. A mere change of wording does not contradict.",
    ),
    ("fluent", "Is it fluent?", "It is grammatical, and reads as somebody would write it here."),
    (
        "self_consistent",
        "Is it consistent in itself?",
        "It could be true: nothing in it contradicts the rest of it, or what everybody knows.",
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
    TypeChoice(FactorErrorType.ENTITY, "Entity", "who or what does it, or to whom or what it is done", "e"),
    TypeChoice(FactorErrorType.PREDICATE, "Predicate", "what is done, or what is said of somebody or something", "p"),
    TypeChoice(FactorErrorType.CIRCUMSTANCE, "Circumstance", "when, where, how or how much", "c"),
    TypeChoice(FactorErrorType.COREFERENCE, "Coreference", "whom or what a pronoun or another reference means", "o"),
    TypeChoice(FactorErrorType.LINK, "Link", "how statements hang together: before or after, because or although", "k"),
)


class ValidationDrawForm(RatersDrawForm):
    """The number of examples, and the number of raters each."""

    size = forms.IntegerField(label="Examples", min_value=1, initial=SIZE)
    raters = forms.IntegerField(label="Raters each", min_value=1, max_value=MOST_RATERS, initial=RATERS)


class VerdictForm(RatingForm):
    """Yes or no to each question, the error type, and a note."""

    rating_class = CompletionRating
    UNREADABLE = "The note is too long, or an answer is none of those that can be chosen."

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
