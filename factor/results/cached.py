"""Scores and reports kept as long as nothing they are made of has changed: choosing another rule asks for the same
scores again, sorting a table for the same report."""

import hashlib
from collections.abc import Sequence

from django.db.models import Count, Max, Min, Sum

from core.caching import CACHE_SECONDS, cached, memory
from factor.models import Benchmark, Completion, CompletionScore, Exclusion, Scoring, ScoringItem
from factor.results.corpus import Corpus
from factor.results.names import names_in
from factor.results.report import build_report
from factor.results.report_types import FactorReport
from factor.results.scores import ENDED, ScoringScores, read_scores
from factor.results.study import BenchmarkStudy, read_study

# Counted up where the report's figures change their meaning or their form; those of an older version are not used.
FIGURES_VERSION = 3


def report_of(benchmark: Benchmark, scorings: Sequence[Scoring], rule: str, corpus: Corpus | None) -> FactorReport:
    """The report (report.py) of these scorings."""
    keys, every_name = _keys(benchmark, scorings), names_in(benchmark)
    names = {each.pk: every_name[each.pk] for each in scorings}
    described = list(map(_description, scorings))
    key = _hashed(
        "report", FIGURES_VERSION, keys, benchmark.name, benchmark.dataset.name, rule, corpus, names, described
    )

    def compute() -> FactorReport:
        study = read_study(benchmark)
        return build_report(study, scorings, names, _scores(study, scorings, keys), rule, corpus)

    return cached(key, compute)


def scores_of(study: BenchmarkStudy, scorings: Sequence[Scoring]) -> dict[int, ScoringScores]:
    """What `read_scores` reads, by the scorings' keys."""
    return _scores(study, scorings, _keys(study.benchmark, scorings))


def _scores(study: BenchmarkStudy, scorings: Sequence[Scoring], keys: dict[int, str]) -> dict[int, ScoringScores]:
    cached_scores = memory.get_many(list(keys.values()))
    known: dict[int, ScoringScores] = {pk: cached_scores[key] for pk, key in keys.items() if key in cached_scores}
    missing = [each for each in scorings if each.pk not in known]
    read = read_scores(study, missing) if missing else {}
    memory.set_many({keys[pk]: scores for pk, scores in read.items()}, CACHE_SECONDS)
    return known | read


def _keys(benchmark: Benchmark, scorings: Sequence[Scoring]) -> dict[int, str]:
    """A key for all data behind the scores of each scoring: the examples that count, and the stored scores."""
    completions = Completion.objects.filter(example__benchmark=benchmark).aggregate(Count("pk"), Max("pk"))
    excluded = Exclusion.objects.in_force().filter(example__benchmark=benchmark).order_by("pk")
    dates = benchmark.examples.order_by().aggregate(Count("dated"), Min("dated"), Max("dated"))
    examples = (benchmark.pk, completions, dates, list(excluded.values_list("example_id", flat=True)))
    scored = CompletionScore.objects.filter(scoring__in=scorings).order_by().values_list("scoring")
    ended = ScoringItem.objects.filter(scoring__in=scorings, state__in=ENDED).order_by().values_list("scoring")
    stored = {pk: rest for pk, *rest in scored.annotate(Count("pk"), Max("pk"), Sum("total"), Sum("count"))}
    settled = dict(ended.annotate(Count("pk")))
    return {
        each.pk: _hashed("scores", each.pk, examples, stored.get(each.pk), settled.get(each.pk)) for each in scorings
    }


def _description(scoring: Scoring) -> tuple[object, ...]:
    """The content of the report on it besides its scores."""
    model, source = scoring.model, scoring.source
    of_model = (model.name, model.family, model.parameters, model.cutoff)
    read_in = None if source is None else source.name
    return (scoring.pk, scoring.state, scoring.scored_tokens, scoring.seconds, *of_model, read_in)


def _hashed(kind: str, *made_of: object) -> str:
    return f"factor-{kind}-{hashlib.sha256(repr(made_of).encode()).hexdigest()}"
