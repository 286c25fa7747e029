"""A small benchmark and scorings of it, all made up."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django.test import Client
from django.urls import reverse

from annotate.models import Dataset
from factor.models import (
    Benchmark,
    Completion,
    CompletionScore,
    Example,
    Perplexity,
    PerplexityItem,
    ScoredModel,
    Scoring,
    ScoringItem,
)
from factor.results.corpus import corpora_of
from factor.results.names import names_in
from factor.results.page_state import scorings_of
from factor.results.report import build_report
from factor.results.scores import read_scores
from factor.results.study import read_study
from jobs.models import JobItem
from knowledge.models import KnowledgeSource
from stats.factor import MEAN

# Document, date, the true completion, and the false ones with their error types. The first document has two examples.
# Words that differ: 1 and 2; 1 and 1; 4 and 1; 1.
EXAMPLES: list[tuple[str, date | None, str, list[tuple[str, str]]]] = [
    (
        "donne",
        date(2021, 5, 1),
        "He was born in 1914.",
        [("He was born in 1941.", "circumstance"), ("She were born in 1914.", "coreference")],
    ),
    (
        "donne",
        date(2021, 5, 1),
        "He became a judge.",
        [("He became a cook.", "entity"), ("He killed a judge.", "predicate")],
    ),
    (
        "atiu",
        date(2022, 2, 3),
        "The port is on Atiu.",
        [("The port lies far off from Atiu.", "predicate"), ("The port is on Niue.", "entity")],
    ),
    ("niue", None, "They flew there.", [("They sailed there.", "predicate")]),
]
# Right; wrong; a tie with its first false completion; a false completion without a score.
MIXED = [[-1.0, -2.0, -3.0], [-2.0, -1.0, -3.0], [-1.0, -1.0, -2.0], [-1.0, None]]
ALL_RIGHT = [[-1.0, -2.0, -2.0], [-1.0, -2.0, -2.0], [-1.0, -2.0, -2.0], [-1.0, -2.0]]


def make_benchmark(dataset: Dataset, name: str = "islands") -> Benchmark:
    benchmark = Benchmark.objects.create(dataset=dataset, name=name)
    for position, (document, dated, true, false) in enumerate(EXAMPLES):
        example = Example.objects.create(
            benchmark=benchmark, position=position, document_key=document, dated=dated, prefix="Of the islands.\n"
        )
        Completion.objects.create(example=example, place=0, text=true)
        for place, (text, error_type) in enumerate(false, 1):
            Completion.objects.create(example=example, place=place, text=text, error_type=error_type)
    return benchmark


def make_model(dataset: Dataset, name: str, **fields: Any) -> ScoredModel:
    found, _ = ScoredModel.objects.get_or_create(
        dataset=dataset, name=name, defaults={"reached_by": "transformers", "reached_as": name, **fields}
    )
    return found


def score(
    model: ScoredModel, benchmark: Benchmark, rows: Sequence[Sequence[float | None] | None], **fields: Any
) -> Scoring:
    """rows: for each example the log-probability of every token of each completion, one a word; None has no score. An
    example that is None itself is waiting."""
    fields.setdefault("state", Scoring.State.FINISHED)
    scoring = Scoring.objects.create(model=model, benchmark=benchmark, **fields)
    for example, row in zip(benchmark.examples.prefetch_related("completions"), rows, strict=True):
        state = JobItem.State.WAITING if row is None else JobItem.State.DONE
        ScoringItem.objects.create(scoring=scoring, example=example, state=state)
        for completion, value in zip(example.completions.all(), row or (), strict=row is not None):
            keep(scoring, completion, value)
    return scoring


def keep(scoring: Scoring, completion: Completion, value: float | None) -> CompletionScore:
    if value is None:
        return CompletionScore.objects.create(scoring=scoring, completion=completion, error="too long")
    tokens = [[word.start(), word.end(), value] for word in re.finditer(r"\s*\S+", completion.text)]
    return CompletionScore.objects.create(
        scoring=scoring, completion=completion, tokens=tokens, total=value * len(tokens), count=len(tokens)
    )


def measure(
    model: ScoredModel, source: KnowledgeSource, totals: Mapping[str, float | None], characters: int = 18
) -> Perplexity:
    """A finished pass over documents of these titles: the summed log-probability of each one's four tokens, which are
    so many characters; None failed."""
    passed = Perplexity.objects.create(model=model, source=source, revision=1, state="finished")
    for title, total in totals.items():
        document, _ = source.documents.get_or_create(
            key=title, defaults={"title": title, "text": f"Of {title}.", "revision": 1}
        )
        scored = {} if total is None else {"total": total, "count": 4, "characters": characters, "windows": 1}
        state = JobItem.State.FAILED if total is None else JobItem.State.DONE
        PerplexityItem.objects.create(perplexity=passed, document=document, state=state, **scored)
    return passed


def report(benchmark: Benchmark, rule: str = MEAN) -> dict[str, Any]:
    study, scorings = read_study(benchmark), scorings_of(benchmark)
    corpus = next(iter(corpora_of(benchmark)), None)
    return build_report(study, scorings, names_in(benchmark), read_scores(study, scorings), rule, corpus)


def results(client: Client, benchmark: Benchmark, query: str = "") -> str:
    """The page of the benchmark's results."""
    answer = client.get(reverse("benchmark-results", args=[benchmark.pk]) + query)
    assert answer.status_code == 200
    return answer.content.decode("utf-8-sig")
