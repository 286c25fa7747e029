"""The document of a validation: tables 2 and 3 of FACTOR, agreement, and the completions found amiss (§3.3.1)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import stdev
from typing import Any

import numpy as np

from annotate.people.names import Names
from factor.models import CompletionRating, FactorErrorType, Validation
from factor.validation.agreement import describe_agreement
from factor.validation.outcome import CompletionOutcome
from factor.validation.read import RatedCompletion
from stats.arrays import Ints
from stats.bootstrap import RESAMPLES, SEED
from stats.edits import distance, mean_distance
from stats.proportions import Quotient, QuotientFigure, clusters_of, measure, share_of

QUESTIONS = CompletionRating.QUESTIONS
FACTUAL, OPEN = "factual", "open"


def build_report(validation: Validation, completions: Sequence[RatedCompletion], names: Names) -> dict[str, Any]:
    """Plain JSON values, None where undefined; of a sample that has all its ratings.

    properties: table 2, a row a question. `value` is the share of yes among the `n` completions whose answer is settled
    (outcome.py), without the `open` ones; `by_rating` counts each rating alike; `unanimous` is the share to which all
    raters say yes. edit_distance: words, the mean over examples of each one's mean. error_types: table 3, of the
    completions found non-factual. confusion: type as generated ("" not known) against the outcome (a type, factual, or
    open). by_generated: table 2 by type as generated, and the share whose type was found to be that type.
    """
    cluster = clusters_of([each.document for each in completions])
    return {
        "benchmark": validation.benchmark.name,
        "dataset": validation.benchmark.dataset.name,
        "validation": validation.pk,
        "seed": validation.seed,
        "examples": validation.size,
        "completions": len(completions),
        "raters_each": validation.raters,
        "documents": int(cluster.max()) + 1,
        "bootstrap": {"seed": SEED, "resamples": RESAMPLES},
        "properties": _properties(completions, cluster),
        "edit_distance": _edit_distance(completions, cluster),
        "error_types": _error_types(completions, cluster),
        "confusion": _confusion(completions),
        "by_generated": list(_by_generated(completions, cluster)),
        "agreement": describe_agreement(completions, cluster, names),
        "open": sum(bool(each.outcome.open) for each in completions),
        "settled": sum(each.settlement is not None for each in completions),
        "amiss": [_amiss(each) for each in completions if is_amiss(each.outcome)],
    }


def is_amiss(outcome: CompletionOutcome) -> bool:
    """The completion is found factual, not fluent, or not consistent in itself."""
    return any(getattr(outcome, question) is False for question in QUESTIONS)


def _properties(completions: Sequence[RatedCompletion], cluster: Ints) -> list[dict[str, Any]]:
    quotients = []
    for question in QUESTIONS:
        yes = [[getattr(verdict, question) for verdict in each.verdicts] for each in completions]
        by_rating = np.array([sum(each) / len(each) for each in yes])
        quotients += [
            _share_of_yes(completions, question),
            Quotient(by_rating, np.ones(len(completions))),
            share_of([all(each) for each in yes]),
        ]
    figures = measure(quotients, cluster)
    return [
        {
            "property": question,
            **_counted(figures[place]),
            "open": len(completions) - int(figures[place].whole),
            **_named("by_rating", figures[place + 1]),
            **_named("unanimous", figures[place + 2]),
        }
        for place, question in zip(range(0, len(figures), 3), QUESTIONS, strict=True)
    ]


def _share_of_yes(completions: Sequence[RatedCompletion], question: str) -> Quotient:
    answers = [getattr(each.outcome, question) for each in completions]
    return share_of([answer is True for answer in answers], [answer is not None for answer in answers])


def _edit_distance(completions: Sequence[RatedCompletion], cluster: Ints) -> dict[str, Any]:
    """mean and sd over examples (None of a single one), by words (docs/statistics.md, FACTOR)."""
    examples: dict[int, list[RatedCompletion]] = {}
    for each in completions:
        examples.setdefault(each.example, []).append(each)
    means = [mean_distance(these[0].true, [each.text for each in these]) or 0.0 for these in examples.values()]
    (figure,) = measure([_per_example(completions)], cluster)
    return {
        "mean": figure.value,
        "sd": stdev(means) if len(means) > 1 else None,
        "interval": figure.interval,
        "examples": len(means),
    }


def _per_example(completions: Sequence[RatedCompletion]) -> Quotient:
    """The mean over examples of each one's mean distance: all of an example's completions together weigh 1."""
    sizes = Counter(each.example for each in completions)
    weights = np.array([1 / sizes[each.example] for each in completions])
    return Quotient(weights * [distance(each.true, each.text) for each in completions], weights, is_share=False)


def _error_types(completions: Sequence[RatedCompletion], cluster: Ints) -> list[dict[str, Any]]:
    types = [each.outcome.error_type for each in completions]
    figures = measure(
        [share_of([kind == each for each in types], [bool(each) for each in types]) for kind in FactorErrorType.values],
        cluster,
    )
    generated = Counter(each.generated for each in completions)
    return [
        {"error_type": kind, "hits": int(figure.part), **_counted(figure), "generated": generated[kind]}
        for kind, figure in zip(FactorErrorType.values, figures, strict=True)
    ]


def _confusion(completions: Sequence[RatedCompletion]) -> list[dict[str, Any]]:
    cells = Counter((each.generated, found_as(each.outcome)) for each in completions)
    return [
        {"generated": generated, "found": found, "count": cells[generated, found]} for generated, found in sorted(cells)
    ]


def found_as(outcome: CompletionOutcome) -> str:
    if outcome.non_factual is False:
        return FACTUAL
    return outcome.error_type or OPEN


def _by_generated(completions: Sequence[RatedCompletion], cluster: Ints) -> Iterator[dict[str, Any]]:
    known = {each.generated for each in completions}
    for kind in (*FactorErrorType.values, ""):
        if kind in known:
            yield _of_generated(
                kind, [place for place, each in enumerate(completions) if each.generated == kind], completions, cluster
            )


def _of_generated(
    kind: str, places: list[int], completions: Sequence[RatedCompletion], cluster: Ints
) -> dict[str, Any]:
    these = [completions[place] for place in places]
    _, own = np.unique(cluster[places], return_inverse=True)
    typed = [bool(each.outcome.error_type) for each in these]
    quotients = [_share_of_yes(these, question) for question in QUESTIONS]
    quotients += [share_of([each.outcome.error_type == kind for each in these], typed), _per_example(these)]
    figures = dict(zip((*QUESTIONS, "as_generated", "edit_distance"), measure(quotients, own), strict=True))
    if not kind:
        figures.pop("as_generated")
    return {
        "generated": kind,
        "completions": len(these),
        **{name: _counted(figure) for name, figure in figures.items()},
    }


def _amiss(completion: RatedCompletion) -> dict[str, Any]:
    outcome = completion.outcome
    return {
        "example": completion.position,
        "place": completion.place,
        "completion": completion.text,
        "true": completion.true,
        "generated": completion.generated,
        **vars(outcome),
    }


def _counted(figure: QuotientFigure) -> dict[str, Any]:
    return {"value": figure.value, "interval": figure.interval, "n": round(figure.whole)}


def _named(name: str, figure: QuotientFigure) -> dict[str, Any]:
    return {name: figure.value, f"{name}_interval": figure.interval}
