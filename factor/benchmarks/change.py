"""A benchmark gets another name, or goes with all that was made of it."""

from django.db import IntegrityError, transaction

from core.errors import DataError
from factor.csv_format.import_file import check_name
from factor.models import (
    Benchmark,
    BenchmarkBuild,
    Candidate,
    Completion,
    CompletionRating,
    CompletionScore,
    Example,
    OpenEndedLabel,
    OpenEndedStudy,
    Scoring,
)


def rename(benchmark: Benchmark, name: str) -> None:
    """DataError: it is no name, or another benchmark of the dataset has it."""
    check_name(name)
    benchmark.name = name
    try:
        with transaction.atomic():
            benchmark.save(update_fields=["name"])
    except IntegrityError:
        raise DataError(f"This dataset already has a benchmark named {name}.") from None


def goes_with(benchmark: Benchmark) -> list[tuple[str, int]]:
    """The objects that are deleted with the benchmark: their kinds and their numbers above 0."""
    counts = {
        "examples": Example.objects.filter(benchmark=benchmark).count(),
        "completions": Completion.objects.filter(example__benchmark=benchmark).count(),
        "candidates from its build": Candidate.objects.filter(item__build__benchmark=benchmark).count(),
        "passes of models over it": Scoring.objects.filter(benchmark=benchmark).count(),
        "scores of completions": CompletionScore.objects.filter(scoring__benchmark=benchmark).count(),
        "ratings by people": CompletionRating.objects.filter(item__sample__benchmark=benchmark).count(),
        "labels of open-ended texts": OpenEndedLabel.objects.filter(
            item__pair__completion__example__benchmark=benchmark
        ).count(),
    }
    return [(what, number) for what, number in counts.items() if number]


def at_work(benchmark: Benchmark) -> str:
    """The job that works on it and has to be stopped first, "" where there is none."""
    if BenchmarkBuild.objects.active().filter(benchmark=benchmark).exists():
        return "its build"
    if OpenEndedStudy.objects.active().filter(scoring__benchmark=benchmark).exists():
        return "its open-ended study"
    if Scoring.objects.active().filter(benchmark=benchmark).exists():
        return "a model's pass over it"
    return ""


@transaction.atomic
def delete(benchmark: Benchmark) -> None:
    """DataError: something is still at work on it."""
    if still := at_work(benchmark):
        raise DataError(f"Not deleted: stop {still} first.")
    benchmark.delete()
