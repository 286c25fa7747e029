"""The demo of every room: a lab in the middle of its work, and a small benchmark with a model's scores on it."""

import json
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import groupby
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotate.evidence.import_file import import_documents
from annotate.models import Dataset
from evaluators.demo import FIVE_DOMAINS, FIXTURES
from evaluators.demo import make_demo as make_lab
from factor.layout.import_file import import_benchmark
from factor.models import Benchmark, CompletionScore, ScoredModel, Scoring, ScoringItem
from factor.validation.demo import make_validations

NOTES = "Demo: notes"
# The model that the stored scores are from (fixtures/README.md says how they were computed).
MODEL = {
    "name": "Gemma 3 270M",
    "family": "Gemma 3",
    "parameters": 268_098_176,
    "reached_by": ScoredModel.Reached.LLAMA_CPP,
    "reached_as": "gemma-3-270m.gguf",
    # The end of the month that its makers name.
    "cutoff": date(2024, 8, 31),
}


def make_demo() -> None:
    """Each part is made where it is missing; what somebody changed stays as it is."""
    make_lab()
    five_domains = Dataset.objects.get(name=FIVE_DOMAINS)
    if not five_domains.benchmarks.filter(name=NOTES).exists():
        make_benchmark(five_domains)


@transaction.atomic
def make_benchmark(dataset: Dataset) -> None:
    """Dated notes, a benchmark of them with error types, what people say of it and what a small model gave it."""
    source = import_documents(FIXTURES / "knowledge_notes.jsonl", NOTES).source
    import_benchmark(dataset, NOTES, FIXTURES / "demo_benchmark.csv", source=source)
    make_validations(dataset.benchmarks.get(name=NOTES), FIXTURES / "demo_validation.jsonl")
    model = ScoredModel.objects.create(dataset=dataset, **MODEL)
    for with_prefix, rows in groupby(_scores(), key=lambda row: row["with_prefix"]):
        make_scoring(dataset.benchmarks.get(name=NOTES), model, with_prefix, rows)


def make_scoring(
    benchmark: Benchmark, model: ScoredModel, with_prefix: bool, rows: Iterable[dict[str, Any]]
) -> Scoring:
    """A finished pass with the scores of the rows: {"example", "place", "prefix_tokens", "tokens"}."""
    scoring = Scoring.objects.create(
        benchmark=benchmark,
        model=model,
        with_prefix=with_prefix,
        state=Scoring.State.FINISHED,
        finished_at=timezone.now(),
    )
    examples = list(benchmark.examples.order_by("position").prefetch_related("completions"))
    ScoringItem.objects.bulk_create(
        ScoringItem(scoring=scoring, example=example, state=ScoringItem.State.DONE, settled_at=timezone.now())
        for example in examples
    )
    CompletionScore.objects.bulk_create(
        CompletionScore(
            scoring=scoring,
            completion=examples[row["example"]].completions.all()[row["place"]],
            tokens=row["tokens"],
            total=sum(logprob for _, _, logprob in row["tokens"]),
            count=len(row["tokens"]),
            prefix_tokens=row["prefix_tokens"],
        )
        for row in rows
    )
    return scoring


def _scores() -> Iterator[dict[str, Any]]:
    with (FIXTURES / "demo_scores.jsonl").open(encoding="utf-8") as file:
        yield from map(json.loads, file)
