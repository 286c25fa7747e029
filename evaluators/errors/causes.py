"""The causes that a mistake is tagged with: those of FActScore table 14, and the dataset's own."""

from django.db import IntegrityError, transaction
from django.db.models import Max

from annotate.models import Dataset, User
from evaluators.models import ErrorCause

# In the order and, but for their length, in the terms of FActScore table 14.
STANDARD = (
    ("No direct evidence", "Nothing that the evaluator was given bears the unit out or contradicts it."),
    ("Distracted by other passages", "Given the right passage alone, the evaluator would have been right."),
    ("Context-dependent", "The unit cannot be judged without the text around it."),
    ("Wrong despite the right passage", "The evaluator was given what it needed, and still got it wrong."),
    ("Annotation error", "Gold is wrong and the evaluator is right."),
)
# A digit of the keyboard for each.
MOST = 9
NAME_LIMIT, HELP_LIMIT = 80, 300


class CauseError(ValueError):
    """The cause cannot be added; the message says why. Nothing was changed."""


def causes_of(dataset: Dataset) -> list[ErrorCause]:
    """The dataset's causes in their order; the standard ones are stored at the first call."""
    causes = ErrorCause.objects.filter(dataset=dataset)
    if causes:
        return list(causes)
    standard = [
        ErrorCause(dataset=dataset, position=place, name=name, help=help) for place, (name, help) in enumerate(STANDARD)
    ]
    ErrorCause.objects.bulk_create(standard, ignore_conflicts=True)
    return list(causes.all())


@transaction.atomic
def add_cause(dataset: Dataset, name: str, help: str, who: User) -> ErrorCause:
    """A cause of the dataset's own, after the others. Raises CauseError."""
    name, help = " ".join(name.split()), " ".join(help.split())
    if not name:
        raise CauseError("Enter a name for the cause.")
    if len(name) > NAME_LIMIT or len(help) > HELP_LIMIT or "\x00" in name + help:
        raise CauseError(
            f"A name has at most {NAME_LIMIT} characters, a description {HELP_LIMIT}, and no null character."
        )
    causes = causes_of(dataset)
    if len(causes) >= MOST:
        raise CauseError(f"No more causes: there are {MOST}, one per digit key.")
    if name.casefold() in {cause.name.casefold() for cause in causes}:
        raise CauseError(f"The cause “{name}” already exists.")
    last = ErrorCause.objects.filter(dataset=dataset).aggregate(last=Max("position"))["last"]
    try:
        with transaction.atomic():
            return ErrorCause.objects.create(dataset=dataset, position=last + 1, name=name, help=help, added_by=who)
    except IntegrityError:
        raise CauseError("Another cause was added in the meantime: reload the page.") from None
