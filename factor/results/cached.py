"""A report kept as long as nothing it is made of has changed: sorting its table asks for the same one again."""

import hashlib
from collections.abc import Sequence
from typing import Any

from django.core.cache import cache
from django.db.models import Count, Max

from factor.models import Benchmark, Completion, CompletionScore, Exclusion, Scoring, ScoringItem
from factor.results.corpus import Corpus
from factor.results.report import build_report
from factor.results.scores import ENDED, read_scores
from factor.results.study import read_study

Document = dict[str, Any]
SECONDS_KEPT = 24 * 3600


def report_of(benchmark: Benchmark, scorings: Sequence[Scoring], rule: str, corpus: Corpus | None) -> Document:
    """The report (report.py) of these scorings."""
    key = f"factor-report-{_fingerprint(benchmark, scorings, rule, corpus)}"
    kept: Document | None = cache.get(key)
    if kept is None:
        study = read_study(benchmark)
        kept = build_report(study, scorings, read_scores(study, scorings), rule, corpus)
        cache.set(key, kept, SECONDS_KEPT)
    return kept


def _fingerprint(benchmark: Benchmark, scorings: Sequence[Scoring], rule: str, corpus: Corpus | None) -> str:
    """A name for everything that a report is made of: the examples that count, the scores, and what is said of the
    models."""
    completions = Completion.objects.filter(example__benchmark=benchmark)
    out = Exclusion.objects.in_force().filter(example__benchmark=benchmark).order_by("pk")
    scores = CompletionScore.objects.filter(scoring__in=scorings).order_by("scoring")
    items = ScoringItem.objects.filter(scoring__in=scorings, state__in=ENDED).order_by("scoring")
    made_of = [
        (benchmark.pk, benchmark.name, benchmark.dataset.name, rule, corpus),
        completions.aggregate(Count("pk"), Max("pk")),
        list(out.values_list("pk", flat=True)),
        list(scores.values_list("scoring").annotate(Count("pk"), Max("pk"))),
        list(items.values_list("scoring").annotate(Count("pk"))),
        [_of(each) for each in scorings],
    ]
    return hashlib.sha256(repr(made_of).encode()).hexdigest()


def _of(scoring: Scoring) -> tuple[object, ...]:
    model, source = scoring.model, scoring.source
    said = (model.name, model.family, model.parameters, model.cutoff, None if source is None else source.name)
    return (scoring.pk, scoring.state, scoring.scored_tokens, scoring.seconds, *said)
