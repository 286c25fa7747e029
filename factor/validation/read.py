"""Read a sample and all verdicts on it."""

from dataclasses import dataclass
from functools import cached_property

from django.db.models import QuerySet

from factor.models import Completion, CompletionRating, CompletionSettlement, Example, Validation, ValidationItem
from factor.validation.outcome import CompletionOutcome, outcome_of
from factor.validation.reading import CompletionReading, read_for


@dataclass(frozen=True)
class RatedCompletion:
    """A false completion of the sample.

    `pk` is the item's key, `example` the example's; `position` is the example's in its benchmark. Examples of one
    `document` are resampled together. `generated` is the error type of the prompt that brought it, "" where it is not
    known. `verdicts` are in the order of rating; `settlement` is None where nobody has settled it.
    """

    pk: int
    example: int
    position: int
    place: int
    document: str
    true: str
    text: str
    generated: str
    verdicts: tuple[CompletionRating, ...]
    settlement: CompletionSettlement | None

    @property
    def reading(self) -> CompletionReading:
        """Both completions with the words in which they differ, without the prefix."""
        return read_for("", self.true, self.text)

    @cached_property
    def of_raters(self) -> CompletionOutcome:
        return outcome_of(self.verdicts)

    @cached_property
    def outcome(self) -> CompletionOutcome:
        return outcome_of(self.verdicts, self.settlement)


def read_completions(validation: Validation) -> list[RatedCompletion]:
    """Every completion of the sample in the order of the draw; four queries."""
    drawn = validation.items.values("completion__example")
    true = dict(Completion.objects.filter(place=0, example__in=drawn).values_list("example", "text"))
    return [
        RatedCompletion(
            pk=item.pk,
            example=item.completion.example_id,
            position=item.completion.example.position,
            place=item.completion.place,
            document=document_of(item.completion.example),
            true=true[item.completion.example_id],
            text=item.completion.text,
            generated=item.completion.error_type,
            verdicts=tuple(item.ratings.all()),
            settlement=getattr(item, "settlement", None),
        )
        for item in _items(validation)
    ]


def _items(validation: Validation) -> QuerySet[ValidationItem]:
    """Without the prefixes, which are long."""
    of_example = [f"completion__example__{name}" for name in ("prefix", "cut_prefix", "extra")]
    items = ValidationItem.objects.filter(sample=validation).select_related(
        "completion__example", "settlement__settled_by"
    )
    return items.defer(*of_example).prefetch_related("ratings__rater").order_by("position")


def document_of(example: Example) -> str:
    """The document of the example: its key in the file, else the document itself, else the example alone."""
    if example.document_key:
        return f"key {example.document_key}"
    return f"example {example.pk}" if example.document_id is None else f"document {example.document_id}"
