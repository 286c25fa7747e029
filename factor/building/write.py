"""The examples of a build into its benchmark: once, and all of them at once."""

from django.db import transaction
from django.utils import timezone

from core.errors import DataError
from factor.models import BenchmarkBuild, BenchmarkBuildItem, Candidate, Completion, Example

BATCH = 500


@transaction.atomic
def end(build: BenchmarkBuild) -> None:
    """Write the examples and finish, once every document has settled."""
    if build.finish():
        _write(build)


@transaction.atomic
def accept(build: BenchmarkBuild) -> int:
    """Finish a stopped build with the examples that there are; how many. Raises DataError while calls are under
    way."""
    if build.items.leased().exists():
        raise DataError("Some calls are in progress: wait until they have ended.")
    stopped = BenchmarkBuild.objects.resumable().filter(pk=build.pk)
    if not stopped.update(state=BenchmarkBuild.State.FINISHED, error="", finished_at=timezone.now()):
        return 0
    return _write(build)


def _write(build: BenchmarkBuild) -> int:
    """How many examples were written."""
    items = list(BenchmarkBuildItem.objects.made().filter(build=build).select_related("document").order_by("position"))
    examples = Example.objects.bulk_create(
        (_example(build, place, item) for place, item in enumerate(items)), batch_size=BATCH
    )
    chosen: dict[int, list[Candidate]] = {}
    for candidate in Candidate.objects.of(build).filter(outcome=Candidate.Outcome.CHOSEN).order_by("pk"):
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


def _example(build: BenchmarkBuild, place: int, item: BenchmarkBuildItem) -> Example:
    document = item.document
    return Example(
        benchmark_id=build.benchmark_id,
        position=place,
        document=document,
        document_key=document.key,
        dated=document.published,
        prefix=item.prefix,
    )


def _completions(example: Example, item: BenchmarkBuildItem, chosen: list[Candidate]) -> list[Completion]:
    """The true one, then the false ones."""
    return [
        Completion(example=example, place=0, text=item.sentence),
        *(
            Completion(example=example, place=place, text=each.text, error_type=each.error_type)
            for place, each in enumerate(chosen, start=1)
        ),
    ]
