"""A benchmark as a file of the published layout (field for field: factor/csv_format/columns.py)."""

from collections.abc import Iterator

from django.db.models import Count, Max

from factor.csv_format.cells import row_of
from factor.csv_format.columns import PUBLISHED_FALSE, columns_for
from factor.csv_format.style import Style
from factor.models import Benchmark, Completion

CHUNK = 200


def export_benchmark(benchmark: Benchmark) -> Iterator[str]:
    """The text of the file, piece by piece with its line ends: as it came, where it came as a file."""
    return Style(**benchmark.style).lines(rows_of(benchmark))


def rows_of(benchmark: Benchmark) -> Iterator[list[str]]:
    """The header, then one row an example."""
    columns = header_of(benchmark)
    yield columns
    for example in benchmark.examples.prefetch_related("completions").iterator(chunk_size=CHUNK):
        yield row_of(example, list(example.completions.all()), columns)


def header_of(benchmark: Benchmark) -> list[str]:
    """The header of the file that it came from; else the published one, followed by columns for further data."""
    if benchmark.columns:
        return list(benchmark.columns)
    falses = Completion.objects.false().filter(example__benchmark=benchmark)
    return columns_for(
        falses.aggregate(most=Max("place"))["most"] or 0,
        types=falses.exclude(error_type="").exists(),
        dates=benchmark.examples.exclude(dated=None).exists(),
    )


def unlike_published(benchmark: Benchmark) -> int:
    """Examples that have not the published number of false completions."""
    counted = benchmark.examples.annotate(number=Count("completions"))
    return counted.exclude(number=PUBLISHED_FALSE + 1).count()
