"""The demo of every room: a lab in the middle of its work, and a small benchmark with a model's scores on it."""

import json
from pathlib import Path

from django.db import transaction

from annotate.evidence.import_file import import_documents
from annotate.models import Dataset, User
from evaluators.demo import ADJUDICATOR, FIVE_DOMAINS, FIXTURES
from evaluators.demo import make_demo as make_lab
from factor.csv_format.import_file import import_benchmark
from factor.models import Benchmark, CompletionRating
from factor.scoring.import_file import import_scores
from factor.validation.draw import draw_validation
from ratings.rate import rate

NOTES = "Demo: notes"
# The validations of the benchmark: one that two people have rated, and one that is open.
DRAWN, RATERS, SEED = 8, 2, 1
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


def make_validations(benchmark: Benchmark, ratings: Path) -> None:
    """Rows of the ratings: {"rater", "example", "place"} and the answers; those of drawn completions count."""
    answers: dict[str, dict[tuple[int, int], CompletionRating]] = {}
    for line in ratings.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        rater, place = row.pop("rater"), (row.pop("example"), row.pop("place"))
        answers.setdefault(rater, {})[place] = CompletionRating(**row)
    adjudicator = User.objects.get(username=ADJUDICATOR)
    rated = draw_validation(benchmark, DRAWN, RATERS, SEED, adjudicator)
    for name, own in answers.items():
        rater = User.objects.get(username=name)
        while (item := rated.next_item(rater)) is not None:
            rate(item, rater, own[item.completion.example.position, item.completion.place])
    draw_validation(benchmark, DRAWN, RATERS, SEED + 1, adjudicator)
