"""Read a sample and all verdicts on it, as plain data."""

from dataclasses import dataclass
from functools import cached_property

from django.db.models import QuerySet

from factor.models import Completion, CompletionSettlement, Example, Validation, ValidationItem
from factor.models.validation import Verdict
from factor.validation.outcome import Outcome, VerdictOf, outcome_of
from factor.validation.reading import CompletionReading, read_for


@dataclass(frozen=True)
class Judged:
    """A false completion of the sample.

    `pk` is the item's key, `example` the example's; `position` is the example's in its benchmark; `document` tells
    whose examples are resampled together. `generated` is the error type of the prompt that brought it, "" where it is
    not known. `verdicts` are of its raters, in the order in which they rated; `settled` is the adjudicator's, None
    where nobody settled it.
    """

    pk: int
    example: int
    position: int
    place: int
    document: str
    true: str
    text: str
    generated: str
    verdicts: tuple[VerdictOf, ...]
    settled: VerdictOf | None = None

    @property
    def reading(self) -> CompletionReading:
        """Both completions with the words in which they differ, without the prefix."""
        return read_for("", self.true, self.text)

    @cached_property
    def of_raters(self) -> Outcome:
        return outcome_of(self.verdicts)

    @cached_property
    def outcome(self) -> Outcome:
        return outcome_of(self.verdicts, self.settled)


def read_judged(validation: Validation) -> list[Judged]:
    """Every completion of the sample in the order in which they were drawn; four queries."""
    items = _items(validation)
    drawn = validation.items.values("completion__example")
    true = dict(Completion.objects.filter(place=0, example__in=drawn).values_list("example", "text"))
    return [_judged(item, true[item.completion.example_id]) for item in items]


def _items(validation: Validation) -> QuerySet[ValidationItem]:
    """Without the prefixes, which are long."""
    of_example = [f"completion__example__{name}" for name in ("prefix", "cut_prefix", "extra")]
    items = ValidationItem.objects.filter(sample=validation).select_related(
        "completion__example", "settlement__settled_by"
    )
    return items.defer(*of_example).prefetch_related("ratings__rater").order_by("position")


def _judged(item: ValidationItem, true: str) -> Judged:
    completion = item.completion
    settlement: CompletionSettlement | None = getattr(item, "settlement", None)
    return Judged(
        pk=item.pk,
        example=completion.example_id,
        position=completion.example.position,
        place=completion.place,
        document=document_of(completion.example),
        true=true,
        text=completion.text,
        generated=completion.error_type,
        verdicts=tuple(_verdict(each, each.rater.get_username(), each.note) for each in item.ratings.all()),
        settled=_settled(settlement),
    )


def document_of(example: Example) -> str:
    """The document it is from: its key in the file, else the document itself; else it stands for itself."""
    if example.document_key:
        return f"key {example.document_key}"
    return f"example {example.pk}" if example.document_id is None else f"document {example.document_id}"


def _settled(settlement: CompletionSettlement | None) -> VerdictOf | None:
    if settlement is None:
        return None
    return _verdict(settlement, settlement.settled_by.get_username(), settlement.why)


def _verdict(row: Verdict, who: str, note: str) -> VerdictOf:
    return VerdictOf(who, **{name: getattr(row, name) for name in Verdict.ANSWERS}, note=note)
