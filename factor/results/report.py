"""Every figure of a benchmark's scorings in one document, for the page and for `factor_report --json`.

Accuracy and its parts: docs/statistics.md, FACTOR. Intervals and tests: docs/statistics.md, Intervals and tests, with
the document as the cluster.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev

from factor.models import Scoring
from factor.results.comparisons import compare, perplexities, retrieval_of
from factor.results.corpus import Corpus
from factor.results.parts import ALL_PAIRS, Key, Parts, parts_of
from factor.results.report_types import FactorReport, GroupFigures, RuleFigures, ScoringFigures, ShareFigures
from factor.results.scores import ScoringScores
from factor.results.study import TYPES, BenchmarkStudy
from stats.arrays import Ints
from stats.bootstrap import Interval
from stats.factor import MISSING, RULES, SIDES, STRATA, TIE, WAITING, chance
from stats.proportions import ClusteredShare


def build_report(
    study: BenchmarkStudy,
    scorings: Sequence[Scoring],
    names: Mapping[int, str],
    scores: Mapping[int, ScoringScores],
    rule: str,
    corpus: Corpus | None,
) -> FactorReport:
    """The report on the scorings.

    names: of the scorings, by their keys. rule: one of RULES; examples are parted and models compared by it, and
    accuracy is given by all rules. corpus: accuracy is compared with its perplexities; None: with none.
    """
    parts = parts_of(study, scorings, scores, rule)
    distances = study.distance.tolist()
    entries = [_scoring(each, names[each.pk], scores[each.pk], parts[each.pk]) for each in scorings if parts]
    pairs = compare(study, scorings, parts, rule)
    return {
        "dataset": study.benchmark.dataset.name,
        "benchmark": study.benchmark.name,
        "rule": rule,
        "seed": study.resampling.seed,
        "resamples": study.resampling.resamples,
        "examples": len(study.examples),
        "documents": study.documents,
        "excluded": study.excluded,
        "chance": chance(study.pairs) if distances else None,
        "edit_distance": {
            "mean": fmean(distances) if distances else None,
            "deviation": stdev(distances) if len(distances) > 1 else None,
        },
        "scorings": entries,
        "pairs": pairs,
        "retrieval": retrieval_of(study, scorings, entries, parts, rule),
        "perplexity": None if corpus is None else perplexities(corpus, scorings, entries, pairs, rule),
    }


def _scoring(scoring: Scoring, name: str, scores: ScoringScores, parts: Parts) -> ScoringFigures:
    outcomes = next(iter(parts.outcomes.values()))
    asked, missing = int(scores.asked.sum()), int((outcomes == MISSING).sum())
    decided = int((outcomes != WAITING).sum())
    model, source = scoring.model, scoring.source
    return {
        "scoring": scoring.pk,
        "name": name,
        "model": model.name,
        "family": model.family,
        "parameters": model.parameters,
        "cutoff": None if model.cutoff is None else model.cutoff.isoformat(),
        "context_length": scoring.context_length,
        "with_prefix": scoring.with_prefix,
        "start_token": scoring.start_token,
        "retrieval": None if source is None else source.name,
        "state": scoring.state,
        "asked": asked,
        "n": decided,
        "scored": decided - missing,
        "missing": missing,
        "coverage": (decided - missing) / asked if asked else None,
        "rules": {each: _by_rule(parts.outcomes[each], parts.shares["rule", each]) for each in RULES},
        "pair_accuracy": share(parts.shares[ALL_PAIRS]),
        "types": _named([each or None for each in TYPES], "type", parts.shares),
        "strata": _named(STRATA, "stratum", parts.shares),
        "dated": _named(SIDES, "side", parts.shares),
        "after_less_before": {"difference": parts.gap[0], "interval": ends(parts.gap[1])},
        "tokens": scoring.scored_tokens,
        "seconds": scoring.seconds,
    }


def _by_rule(outcomes: Ints, right: ClusteredShare) -> RuleFigures:
    return {
        **share(right),
        "ties": int((outcomes == TIE).sum()),
        "missing": int((outcomes == MISSING).sum()),
    }


def _named(names: Sequence[str | None], kind: str, shares: Mapping[Key, ClusteredShare]) -> list[GroupFigures]:
    """The groups that hold a unit."""
    groups = [(name, shares[kind, place]) for place, name in enumerate(names)]
    return [{"name": name, **share(each)} for name, each in groups if each.n]


def share(right: ClusteredShare) -> ShareFigures:
    return {"accuracy": right.share, "interval": ends(right.interval), "right": right.count, "n": right.n}


def ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else interval.ends()
