"""The demo of every room: a lab in the middle of its work, and a small benchmark with a model's scores on it."""

from django.db import transaction

from annotate.evidence.import_file import import_documents
from annotate.models import Dataset
from evaluators.demo import FIVE_DOMAINS, FIXTURES
from evaluators.demo import make_demo as make_lab
from factor.csv_format.import_file import import_benchmark
from factor.scoring.import_file import import_scores
from factor.validation.demo import make_validations

NOTES = "Demo: notes"
# With the prefix, and without.
SCORES = ("demo_scores_gemma-3-270m.jsonl", "demo_scores_gemma-3-270m_no-prefix.jsonl")


def make_demo() -> None:
    """Each part is made where it is missing; a changed part stays as it is."""
    make_lab()
    five_domains = Dataset.objects.get(name=FIVE_DOMAINS)
    if not five_domains.benchmarks.filter(name=NOTES).exists():
        make_benchmark(five_domains)


@transaction.atomic
def make_benchmark(dataset: Dataset) -> None:
    """Dated notes, a benchmark of them with error types, ratings of people, and scores of a small model."""
    source = import_documents(FIXTURES / "knowledge_notes.jsonl", NOTES).source
    import_benchmark(dataset, NOTES, FIXTURES / "demo_benchmark.csv", source=source)
    benchmark = dataset.benchmarks.get(name=NOTES)
    make_validations(benchmark, FIXTURES / "demo_validation.jsonl")
    for file in SCORES:
        import_scores(benchmark, FIXTURES / file)
