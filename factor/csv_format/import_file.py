"""A file of the published layout into a dataset's benchmark: checked whole, then written whole."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from django.db import IntegrityError, transaction

from annotate.models import Dataset, User
from core.errors import DataError, RowError, at_line, describe
from core.row_fields import UNSTORABLE
from factor.csv_format.cells import example_of
from factor.csv_format.columns import PUBLISHED_FALSE
from factor.csv_format.export import rows_of
from factor.csv_format.read import BenchmarkFile, read_file
from factor.csv_format.style import Style
from factor.models import Benchmark, Completion, Example
from knowledge.models import Document, KnowledgeSource

LONGEST_NAME = 200
CHUNK = 500


@dataclass(frozen=True)
class ImportedBenchmark:
    """`created` and `unchanged`: examples. `unlike`: so many have other than the published three false completions.
    `verbatim`: its export is the file byte for byte; otherwise only quotes and line ends may differ. `linked`: so many
    are from documents of the source that was named."""

    name: str
    created: int
    unchanged: int
    unlike: int
    verbatim: bool
    linked: int


@dataclass(frozen=True)
class ReadBenchmark:
    """A file that is sound. source: whose documents its rows name. examples: with their completions, not stored."""

    name: str
    path: Path
    source: KnowledgeSource | None
    read: BenchmarkFile
    examples: list[tuple[Example, list[Completion]]]


def import_benchmark(
    dataset: Dataset,
    name: str,
    path: Path,
    created_by: User | None = None,
    source: KnowledgeSource | None = None,
    dry_run: bool = False,
) -> ImportedBenchmark:
    """Make the dataset's benchmark of that name with the file's examples; where it is there already compare them.

    With a `source` an example belongs to its document whose key is the row's doc_id, and has its date where the row
    says none. DataError: one sentence with line and column, for a file that is not sound or whose content is other
    than that of the benchmark; nothing of it is then kept.
    """
    return store_benchmark(dataset, read_benchmark(name, path, source), created_by, dry_run)


def read_benchmark(name: str, path: Path, source: KnowledgeSource | None = None) -> ReadBenchmark:
    """The file, checked by itself: nobody waits for that to write. Raises DataError."""
    check_name(name)
    read = read_file(path)
    return ReadBenchmark(name, path, source, read, _examples(path, read, _documents(source)))


def store_benchmark(
    dataset: Dataset, sent: ReadBenchmark, created_by: User | None = None, dry_run: bool = False
) -> ImportedBenchmark:
    """Make the benchmark, or compare it with the one that is there. Raises DataError as `import_benchmark`."""
    there = dataset.benchmarks.filter(name=sent.name).first()
    if there is not None:
        _compare(sent.path, sent.read, there)
    elif not dry_run:
        made = Benchmark(dataset=dataset, name=sent.name, source=sent.source, created_by=created_by)
        _write(made, sent.read, sent.examples)
    return ImportedBenchmark(
        sent.name,
        created=0 if there else len(sent.examples),
        unchanged=len(sent.examples) if there else 0,
        unlike=sum(len(completions) != PUBLISHED_FALSE + 1 for _, completions in sent.examples),
        verbatim=sent.read.style is not None,
        linked=sum(example.document is not None for example, _ in sent.examples),
    )


def check_name(name: str) -> None:
    """DataError: it is no name of a benchmark."""
    if not name.strip() or name != name.strip() or len(name) > LONGEST_NAME or UNSTORABLE.search(name):
        raise DataError(
            f"A benchmark's name must be plain text of 1 to {LONGEST_NAME} characters, without white space at its ends."
        )


def _documents(source: KnowledgeSource | None) -> dict[str, Document]:
    """The source's documents by their keys; none without a source."""
    documents = Document.objects.visible().filter(source=source).defer("text")
    return {document.key: document for document in documents}


def _examples(
    path: Path, read: BenchmarkFile, documents: Mapping[str, Document]
) -> list[tuple[Example, list[Completion]]]:
    examples = []
    for position, (line, cells) in enumerate(read.rows):
        try:
            examples.append(example_of(dict(zip(read.columns, cells, strict=True)), position, documents))
        except RowError as error:
            raise at_line(path, line, error) from None
    return examples


def _compare(path: Path, read: BenchmarkFile, there: Benchmark) -> None:
    """DataError: the file's content is not the benchmark's."""
    header, *rows = rows_of(there)
    which = f"the benchmark {there}, which already exists"
    if header != read.columns:
        raise at_line(path, 1, f"the columns are not those of {which}")
    for (line, new), old in zip(read.rows, rows, strict=False):
        differs = [column for column, one, other in zip(header, new, old, strict=True) if one != other]
        if differs:
            raise at_line(path, line, f"the column {describe(differs[0])} is not as in {which}")
    if len(read.rows) > len(rows):
        raise at_line(path, read.rows[len(rows)][0], f"the row is not in {which}")
    if len(read.rows) < len(rows):
        raise at_line(path, read.rows[-1][0], f"the file ends here, but not {which}")


def _write(benchmark: Benchmark, read: BenchmarkFile, examples: list[tuple[Example, list[Completion]]]) -> None:
    benchmark.columns = read.columns
    benchmark.style = asdict(read.style or Style())
    try:
        with transaction.atomic():
            benchmark.save(force_insert=True)
            for example, _ in examples:
                example.benchmark = benchmark
            Example.objects.bulk_create([example for example, _ in examples], batch_size=CHUNK)
            completions = [completion for _, of_one in examples for completion in of_one]
            for completion in completions:
                completion.example_id = completion.example.pk
            Completion.objects.bulk_create(completions, batch_size=CHUNK)
    except IntegrityError:
        raise DataError(
            f"A benchmark {benchmark.name} was imported in the meantime: import again to compare."
        ) from None
