"""The forms that draw a sample and rate an item, and the questions of a page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from django import forms

from core.form_fields import NumberField, SeedField
from ratings.draw import MOST_RATERS
from ratings.errors import DrawError, RatingError
from ratings.models import NOTE_LIMIT, Rating

Sample = TypeVar("Sample")


@dataclass(frozen=True)
class Question:
    """A question that is answered by yes or no; `yes` and `no` are keys of the keyboard."""

    name: str
    title: str
    help: str
    yes: str
    no: str


def questions(*texts: tuple[str, str, str]) -> list[Question]:
    """Questions of (name, title, help); the digits 1 and 2 answer the first one, 3 and 4 the second one."""
    return [Question(*text, str(2 * place + 1), str(2 * place + 2)) for place, text in enumerate(texts)]


class DrawForm(forms.Form):
    """The size of the sample; the seed is drawn where it is left empty. REFUSED: the message of a refusal."""

    REFUSED: ClassVar[str] = "Nothing was drawn: {}."

    size = NumberField(min_value=1)
    seed = SeedField(help_text="Empty: drawn for you, and kept.")

    def draw(self, draw: Callable[..., Sample]) -> Sample | None:
        """The sample that `draw` makes of the form's values; None where it refuses them, for a reason in the form."""
        if not self.is_bound or not self.is_valid():
            return None
        try:
            return draw(**self.cleaned_data)
        except DrawError as error:
            self.add_error(None, self.REFUSED.format(error))
            return None


class RatersDrawForm(DrawForm):
    """The form of a draw that several people may rate."""

    raters = NumberField(label="Raters each", min_value=1, max_value=MOST_RATERS)
    field_order = ("kind", "size", "raters", "seed")


class NoteField(forms.CharField):
    """A note, which may be empty."""

    def __init__(self) -> None:
        super().__init__(max_length=NOTE_LIMIT, required=False)


class RatingForm(forms.Form):
    """The answers to an item, in fields named as those of the rating.

    UNREADABLE: the message where a field cannot be read; "": the messages of the fields.
    """

    rating_class: ClassVar[type[Rating]]
    UNREADABLE: ClassVar[str] = ""

    def rating(self) -> Rating:
        """A rating that is not saved. Raises RatingError."""
        return self.rating_class(**self.checked())

    def checked(self) -> dict[str, Any]:
        """The values of the fields. Raises RatingError where one cannot be read."""
        if not self.is_valid():
            raise RatingError(
                self.UNREADABLE or " ".join(str(error) for errors in self.errors.values() for error in errors)
            )
        return self.cleaned_data

    def sent(self) -> dict[str, str]:
        """The answers as they were sent."""
        return {name: str(self[name].value() or "") for name in self.fields}

    @classmethod
    def stored(cls, rating: Any) -> dict[str, str]:
        """The answers of a stored rating, as the form sends them."""
        return {name: as_sent(getattr(rating, name)) for name in cls.base_fields}


def as_sent(answer: Any) -> str:
    """An answer as forms send it: "yes" and "no" of a boolean, "" where it is missing, an object's primary key."""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return "" if answer is None else str(getattr(answer, "pk", answer))


def answered(questions: Sequence[Question], answers: Mapping[str, str]) -> list[tuple[Question, str]]:
    """Each question with its answer, "" where there is none."""
    return [(question, answers.get(question.name, "")) for question in questions]
