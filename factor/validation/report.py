"""The document of a validation: the tables 2 and 3 of FACTOR, agreement, and what was found amiss (§3.3.1)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import stdev
from typing import Any

import numpy as np

from factor.models import CompletionRating, FactorErrorType, Validation
from factor.validation.agreement import describe_agreement
from factor.validation.outcome import Outcome
from factor.validation.read import Judged
from stats.arrays import Ints
from stats.bootstrap import RESAMPLES, SEED
from stats.edits import distance, mean_distance
from stats.proportions import Quotient, QuotientFigure, clusters_of, measure, share_of

QUESTIONS = CompletionRating.QUESTIONS
FACTUAL, OPEN = "factual", "open"


def build_report(validation: Validation, judged: Sequence[Judged]) -> dict[str, Any]:
    """Plain JSON values, None where undefined; of a sample that has all its ratings.

    properties: table 2, a row a question. `value` is of the completions whose answer stands (outcome.py), `n` of them,
    `open` are left out; `by_rating` counts each rating alike; `unanimous` asks all raters to say yes. edit_distance:
    words, the mean over examples of each one's mean. error_types: table 3, of those found non-factual. confusion: type
    as generated ("" not known) against what was found (a type, factual, or open). by_generated: table 2 by type as
    generated, and the share whose type was found to be just that.
    """
    cluster = clusters_of([each.document for each in judged])
    return {
        "benchmark": validation.benchmark.name,
        "dataset": validation.benchmark.dataset.name,
        "validation": validation.pk,
        "seed": validation.seed,
        "examples": validation.size,
        "completions": len(judged),
        "raters_each": validation.raters,
        "documents": int(cluster.max()) + 1,
        "bootstrap": {"seed": SEED, "resamples": RESAMPLES},
        "properties": _properties(judged, cluster),
        "edit_distance": _edit_distance(judged, cluster),
        "error_types": _error_types(judged, cluster),
        "confusion": _confusion(judged),
        "by_generated": list(_by_generated(judged, cluster)),
        "agreement": describe_agreement(judged, cluster),
        "open": sum(bool(each.outcome.open) for each in judged),
        "settled": sum(each.settled is not None for each in judged),
        "amiss": [_amiss(each) for each in judged if is_amiss(each.outcome)],
    }


def is_amiss(outcome: Outcome) -> bool:
    """It was found factual, not fluent, or not consistent in itself."""
    return any(getattr(outcome, question) is False for question in QUESTIONS)


def _properties(judged: Sequence[Judged], cluster: Ints) -> list[dict[str, Any]]:
    quotients = []
    for question in QUESTIONS:
        yes = [[getattr(verdict, question) for verdict in each.verdicts] for each in judged]
        by_rating = np.array([sum(each) / len(each) for each in yes])
        quotients += [
            _standing(judged, question),
            Quotient(by_rating, np.ones(len(judged))),
            share_of([all(each) for each in yes]),
        ]
    found = measure(quotients, cluster)
    return [
        {
            "property": question,
            **_counted(found[place]),
            "open": len(judged) - int(found[place].whole),
            **_named("by_rating", found[place + 1]),
            **_named("unanimous", found[place + 2]),
        }
        for place, question in zip(range(0, len(found), 3), QUESTIONS, strict=True)
    ]


def _standing(judged: Sequence[Judged], question: str) -> Quotient:
    answers = [getattr(each.outcome, question) for each in judged]
    return share_of([answer is True for answer in answers], [answer is not None for answer in answers])


def _edit_distance(judged: Sequence[Judged], cluster: Ints) -> dict[str, Any]:
    """mean and sd over examples (None of a single one), by words (docs/statistics.md, FACTOR)."""
    examples: dict[int, list[Judged]] = {}
    for each in judged:
        examples.setdefault(each.example, []).append(each)
    means = [mean_distance(these[0].true, [each.text for each in these]) or 0.0 for these in examples.values()]
    (figure,) = measure([_per_example(judged)], cluster)
    return {
        "mean": figure.value,
        "sd": stdev(means) if len(means) > 1 else None,
        "interval": figure.interval,
        "examples": len(means),
    }


def _per_example(judged: Sequence[Judged]) -> Quotient:
    """The mean over examples of each one's mean distance: all of an example's completions together weigh 1."""
    sizes = Counter(each.example for each in judged)
    weights = np.array([1 / sizes[each.example] for each in judged])
    return Quotient(weights * [distance(each.true, each.text) for each in judged], weights, is_share=False)


def _error_types(judged: Sequence[Judged], cluster: Ints) -> list[dict[str, Any]]:
    types = [each.outcome.error_type for each in judged]
    figures = measure(
        [share_of([kind == each for each in types], [bool(each) for each in types]) for kind in FactorErrorType.values],
        cluster,
    )
    generated = Counter(each.generated for each in judged)
    return [
        {"error_type": kind, "hits": int(figure.part), **_counted(figure), "generated": generated[kind]}
        for kind, figure in zip(FactorErrorType.values, figures, strict=True)
    ]


def _confusion(judged: Sequence[Judged]) -> list[dict[str, Any]]:
    cells = Counter((each.generated, found_as(each.outcome)) for each in judged)
    return [
        {"generated": generated, "found": found, "count": cells[generated, found]} for generated, found in sorted(cells)
    ]


def found_as(outcome: Outcome) -> str:
    if outcome.non_factual is False:
        return FACTUAL
    return outcome.error_type or OPEN


def _by_generated(judged: Sequence[Judged], cluster: Ints) -> Iterator[dict[str, Any]]:
    known = {each.generated for each in judged}
    for kind in (*FactorErrorType.values, ""):
        if kind in known:
            yield _of_generated(
                kind, [place for place, each in enumerate(judged) if each.generated == kind], judged, cluster
            )


def _of_generated(kind: str, places: list[int], judged: Sequence[Judged], cluster: Ints) -> dict[str, Any]:
    these = [judged[place] for place in places]
    _, own = np.unique(cluster[places], return_inverse=True)
    typed = [bool(each.outcome.error_type) for each in these]
    quotients = [_standing(these, question) for question in QUESTIONS]
    quotients += [share_of([each.outcome.error_type == kind for each in these], typed), _per_example(these)]
    figures = dict(zip((*QUESTIONS, "as_generated", "edit_distance"), measure(quotients, own), strict=True))
    if not kind:
        figures.pop("as_generated")
    return {
        "generated": kind,
        "completions": len(these),
        **{name: _counted(figure) for name, figure in figures.items()},
    }


def _amiss(judged: Judged) -> dict[str, Any]:
    outcome = judged.outcome
    return {
        "example": judged.position,
        "place": judged.place,
        "completion": judged.text,
        "true": judged.true,
        "generated": judged.generated,
        **vars(outcome),
    }


def _counted(figure: QuotientFigure) -> dict[str, Any]:
    return {"value": figure.value, "interval": figure.interval, "n": round(figure.whole)}


def _named(name: str, figure: QuotientFigure) -> dict[str, Any]:
    return {name: figure.value, f"{name}_interval": figure.interval}
