"""Scorings held against each other: all pairs of them, with retrieval against without (FACTOR figure 4), and accuracy
against perplexity (figures 2 and 5, §5.3)."""

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from factor.models import Scoring
from factor.results.corpus import Corpus, figures_of
from factor.results.names import is_plain
from factor.results.parts import Parts
from factor.results.report_types import (
    PairFigures,
    PerplexityReport,
    PerplexityScoring,
    RankDisagreement,
    ScoringFigures,
)
from factor.results.representative import standing
from factor.results.study import BenchmarkStudy
from stats.bootstrap import Interval
from stats.factor import ModelComparison, compare_models
from stats.perplexity import PerplexityFigures
from stats.ranks import rank_ranges


def compare(
    study: BenchmarkStudy, scorings: Sequence[Scoring], parts: Mapping[int, Parts], rule: str
) -> list[PairFigures]:
    """Every pair, decided together."""
    places = list(combinations(range(len(scorings)), 2))
    return _compared(study, scorings, parts, rule, places) if parts else []


def retrieval_of(
    study: BenchmarkStudy,
    scorings: Sequence[Scoring],
    entries: Sequence[ScoringFigures],
    parts: Mapping[int, Parts],
    rule: str,
) -> list[PairFigures]:
    """Each scoring with retrieval less the one that stands for the same model, context and start token without
    (representative.py), adjusted among these. entries: the scorings as the report has them."""
    place_of = {each.pk: place for place, each in enumerate(scorings)}
    alone = standing((each for each in entries if each["with_prefix"] and each["retrieval"] is None), _read_alike)
    places = [
        (place_of[each["scoring"]], place_of[alone[_read_alike(each)]["scoring"]])
        for each in entries
        if each["retrieval"] is not None and _read_alike(each) in alone
    ]
    return _compared(study, scorings, parts, rule, places) if places else []


def ranks_of(scorings: Sequence[ScoringFigures], pairs: Sequence[PairFigures]) -> dict[int, tuple[int, int]]:
    """By scoring, the first and the last place that it may have."""
    place_of = {each["scoring"]: place for place, each in enumerate(scorings)}
    better = np.zeros((len(scorings), len(scorings)), dtype=np.bool_)
    for pair in pairs:
        if pair["better"] is not None:
            worse = pair["other"] if pair["better"] == pair["one"] else pair["one"]
            better[place_of[pair["better"]], place_of[worse]] = True
    return dict(zip(place_of, rank_ranges(better), strict=True))


def perplexities(
    corpus: Corpus,
    scorings: Sequence[Scoring],
    entries: Sequence[ScoringFigures],
    pairs: Sequence[PairFigures],
    rule: str,
) -> PerplexityReport:
    """Plain scorings of models whose perplexity on the corpus is known, and the pairs of them that the two measures
    rank the other way round: the one predicts the corpus better and is right less often.

    entries: the scorings as the report has them; none where no example counts.
    """
    measured, by_key = figures_of(corpus), {each.pk: each for each in scorings}
    plain = [(entry, by_key[entry["scoring"]].model_id) for entry in entries if is_plain(by_key[entry["scoring"]])]
    models = [_predicting(entry, measured.models[pk], rule) for entry, pk in plain if pk in measured.models]
    by_pair = {(pair["one"], pair["other"]): pair for pair in pairs}
    compared = [(one, other, by_pair[one["scoring"], other["scoring"]]) for one, other in combinations(models, 2)]
    return {
        "corpus": corpus.name,
        "documents": measured.documents,
        "left_out": measured.left_out,
        "models": models,
        "disagreements": [each for three in compared if (each := _disagreement(*three)) is not None],
    }


def _predicting(entry: ScoringFigures, figures: PerplexityFigures, rule: str) -> PerplexityScoring:
    return {
        "scoring": entry["scoring"],
        "name": entry["name"],
        "family": entry["family"],
        "perplexity": figures.perplexity,
        "perplexity_interval": _ends(figures.perplexity_interval),
        "bits_per_character": figures.bits_per_character,
        **entry["rules"][rule],
    }


def _disagreement(one: PerplexityScoring, other: PerplexityScoring, pair: PairFigures) -> RankDisagreement | None:
    """None where the lower perplexity and the higher accuracy, on the examples of both, are of the same model."""
    difference, perplexity, of_other = pair["difference"], one["perplexity"], other["perplexity"]
    if difference is None or perplexity is None or of_other is None or (perplexity - of_other) * difference <= 0:
        return None
    turned = of_other < perplexity
    lower, higher = (other, one) if turned else (one, other)
    sign = -1 if turned else 1
    return {
        "lower": lower["scoring"],
        "higher": higher["scoring"],
        "perplexities": [lower["perplexity"], higher["perplexity"]],
        "bits_per_character": [lower["bits_per_character"], higher["bits_per_character"]],
        "bits_turned": _are_turned(lower["bits_per_character"], higher["bits_per_character"]),
        "difference": sign * difference,
        "interval": _turned(pair["interval"], sign),
        "p_holm": pair["p_holm"],
        "p_adjusted": pair["p_adjusted"],
        "simultaneous_interval": _turned(pair["simultaneous_interval"], sign),
        "sure": pair["better"] is not None,
    }


def _turned(ends: list[float] | None, sign: int) -> list[float] | None:
    return None if ends is None else sorted(sign * end for end in ends)


def _are_turned(bits: float | None, of_higher: float | None) -> bool:
    return bits is not None and of_higher is not None and bits > of_higher


def _read_alike(scoring: ScoringFigures) -> tuple[str, int, bool]:
    return scoring["model"], scoring["context_length"], scoring["start_token"]


def _compared(
    study: BenchmarkStudy,
    scorings: Sequence[Scoring],
    parts: Mapping[int, Parts],
    rule: str,
    places: Sequence[tuple[int, int]],
) -> list[PairFigures]:
    outcomes = [parts[each.pk].outcomes[rule] for each in scorings]
    compared = compare_models(outcomes, study.cluster, study.resampling, places)
    return [_pair(each, [scorings[place].pk for place in each.difference.places], scorings) for each in compared]


def _pair(comparison: ModelComparison, pks: Sequence[int], scorings: Sequence[Scoring]) -> PairFigures:
    difference = comparison.difference
    return {
        "one": pks[0],
        "other": pks[1],
        "n": difference.n,
        "only_one": comparison.only_one,
        "only_other": comparison.only_other,
        "difference": difference.difference,
        "interval": _ends(difference.interval),
        "p": difference.p,
        "p_holm": difference.p_holm,
        "p_adjusted": difference.p_adjusted,
        "simultaneous_interval": _ends(difference.simultaneous),
        "mcnemar": comparison.mcnemar,
        "better": None if difference.better is None else scorings[difference.better].pk,
    }


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else interval.ends()
