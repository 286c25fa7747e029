"""The examples of a making into its benchmark: once, and all of them at once."""

from django.db import transaction
from django.utils import timezone

from annotate.corpus.lines import DataError
from annotate.models.leased import Leased
from factor.models import Candidate, Completion, Example, Making, MakingItem

BATCH = 500


def end(making: Making) -> None:
    """Write the examples and finish, once every document has settled."""
    if not making.items.unsettled().exists():
        _write(making, Making.State.MAKING)


def accept(making: Making) -> int:
    """Finish a stopped making with the examples that there are; how many. Raises DataError while calls are under
    way."""
    if making.items.filter(state=Leased.State.LEASED).exists():
        raise DataError("Some calls are under way still: wait until they have ended.")
    return _write(making, Making.State.STOPPED)


@transaction.atomic
def _write(making: Making, state: Making.State) -> int:
    """How many examples were written; none where the making is in another state by now."""
    mine = Making.objects.filter(pk=making.pk, state=state)
    if not mine.update(state=Making.State.FINISHED, error="", finished_at=timezone.now()):
        return 0
    items = list(MakingItem.objects.made().filter(making=making).select_related("document").order_by("position"))
    examples = Example.objects.bulk_create(
        (_example(making, place, item) for place, item in enumerate(items)), batch_size=BATCH
    )
    chosen: dict[int, list[Candidate]] = {}
    for candidate in Candidate.objects.of(making).filter(outcome=Candidate.Outcome.CHOSEN).order_by("pk"):
        chosen.setdefault(candidate.item_id, []).append(candidate)
    Completion.objects.bulk_create(
        (
            completion
            for example, item in zip(examples, items, strict=True)
            for completion in _completions(example, item, chosen[item.pk])
        ),
        batch_size=BATCH,
    )
    return len(examples)


def _example(making: Making, place: int, item: MakingItem) -> Example:
    document = item.document
    return Example(
        benchmark_id=making.benchmark_id,
        position=place,
        document=document,
        document_key=document.key,
        dated=document.published,
        prefix=item.prefix,
    )


def _completions(example: Example, item: MakingItem, chosen: list[Candidate]) -> list[Completion]:
    """The true one, then the false ones."""
    return [
        Completion(example=example, place=0, text=item.sentence),
        *(
            Completion(example=example, place=place, text=each.text, error_type=each.error_type)
            for place, each in enumerate(chosen, start=1)
        ),
    ]
