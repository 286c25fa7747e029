"""The document of `agreement` (docs/commands.md, `agreement`): how far annotators agree, before any adjudication.

See docs/statistics.md, Agreement between annotators.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from annotate.agreement.read import (
    align,
    independent_labels,
    merge,
    read_gold_as,
    read_labels,
    to_ratings,
)
from annotate.gold.read import read_gold
from annotate.models import Dataset
from annotate.people.names import Names
from stats.agreement_rows import describe_each
from stats.arrays import Flags, number
from stats.bootstrap import Resampling
from stats.gold_table import GoldTable
from stats.ratings import Clusters, Ratings, TypesByRater, ValuesByRater

# Gold as a rater; no user's name is empty.
GOLD = ""
NOTHING_SETTLED = "nothing that they judged has gold"


@dataclass(frozen=True)
class Material:
    """Independent judgements, and the table of the responses judged."""

    table: GoldTable
    values: ValuesByRater
    types: TypesByRater
    ratings: Ratings
    clusters: Clusters


def read_material(dataset: Dataset, names: Names | None = None) -> Material:
    """names: of the annotators; None for user names.

    A unit is an address that two judged, as it stands: a sentence called irrelevant as a whole and one judged by its
    facts do not meet there (boundaries.py counts them).
    """
    table = read_gold(dataset)
    values, types = read_labels(independent_labels(dataset), names)
    ratings = to_ratings(values, table)
    return Material(table, values, types, ratings, clusters_of([ratings], table))


def build_agreement(dataset: Dataset) -> dict[str, Any]:
    """Plain JSON values, None where undefined.

    results: per slice ("all", then domains, or subjects for FActScore) and kind of values. pairs: the same of two
    annotators who share units. human_reference: the F1 of one annotator against the other, pooled over pairs, to read
    evaluators against. against_gold: percent and F1 of each annotator against gold, inflated because gold came from
    them.
    """
    return report_agreement(dataset, read_material(dataset))


def report_agreement(dataset: Dataset, material: Material) -> dict[str, Any]:
    table, ratings, clusters = material.table, material.ratings, material.clusters
    slices, pairs = list(_slices(ratings, table)), list(_pairs(ratings))
    described = describe_each(
        [ratings.within(responses) for _, responses in slices] + [ratings.by(pair) for pair in pairs], clusters
    )
    results = [
        {"slice": {_slice_name(table): name}, **row}
        for (name, _), rows in zip(slices, described, strict=False)
        for row in rows
    ]
    of_pairs = [
        {"annotators": list(pair), **row}
        for pair, rows in zip(pairs, described[len(slices) :], strict=True)
        for row in rows
    ]
    return {
        "dataset": dataset.name,
        "seed": clusters.resampling.seed,
        "resamples": clusters.resampling.resamples,
        "results": results,
        "pairs": of_pairs,
        "human_reference": _human_reference(results[0], "fact" if table.of_facts else "segment"),
        "against_gold": list(_against_gold(material)),
    }


def clusters_of(ratings: Sequence[Ratings], table: GoldTable) -> Clusters:
    """The prompts with units that two or more judged in any of these: the others say nothing of agreement and are not
    drawn."""
    prompt = table.responses.prompt
    drawn = np.unique(np.concatenate([prompt[each.overlapping().response] for each in ratings]))
    place = np.full(len(table.strata), -1, dtype=np.int64)
    place[drawn] = np.arange(len(drawn))
    return Clusters(place[prompt], Resampling(table.strata[drawn]))


def _slice_name(table: GoldTable) -> str:
    return "subject" if table.of_facts else "domain"


def slice_of_response(table: GoldTable) -> list[str]:
    """The domain, or in FActScore's scheme the subject, of each response."""
    of_response = table.responses.subject if table.of_facts else table.prompts.domain[table.responses.prompt]
    names: list[str] = of_response.tolist()
    return names


def _slices(ratings: Ratings, table: GoldTable) -> Iterator[tuple[str, Flags]]:
    """Flags of responses: all, then those of each domain or subject that somebody labelled."""
    yield "all", np.ones(len(table.responses.key), dtype=np.bool_)
    of_response = np.array(slice_of_response(table), dtype=object)
    labelled = set(of_response[ratings.response].tolist())
    names, numbers = number(of_response)
    for place, name in enumerate(names):
        if name and name in labelled:
            yield name, numbers == place


def _pairs(ratings: Ratings) -> Iterator[tuple[str, str]]:
    """The annotators who share a unit, two at a time."""
    for first, second in combinations(ratings.annotators, 2):
        if len(ratings.by([first, second]).overlapping().response):
            yield first, second


def _human_reference(binary: dict[str, Any], level: str) -> dict[str, Any]:
    """F1 of one annotator against the other is positive agreement: 2a/(2a+b+c) whichever of them is called gold."""
    return {
        "level": level,
        "n": binary["n"],
        "f1": binary["positive"],
        "f1_interval": binary["intervals"].get("positive"),
        **_renamed(binary, {"positive": "f1"}),
    }


def _renamed(row: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """Why figures are undefined or have no interval, and in how many resamples, by their new names."""
    return {
        kind: {new: row[kind][name] for name, new in names.items() if name in row[kind]}
        for kind in ("withheld", "undefined", "undefined_resamples")
    }


def _against_gold(material: Material) -> Iterator[dict[str, Any]]:
    table = material.table
    with_gold = to_ratings(align(merge(material.values, read_gold_as(GOLD, table)), table.of_facts), table)
    if GOLD not in with_gold.annotators:
        return
    names = material.ratings.annotators
    pairs = [with_gold.by([name, GOLD]) for name in names]
    described = describe_each(pairs, clusters_of(pairs, table)) if pairs else []
    for name, (binary, _) in zip(names, described, strict=True):
        row = {
            "annotator": name,
            "inflated": True,
            "percent": binary["percent"],
            "percent_interval": binary["intervals"].get("percent"),
            **_human_reference(binary, "fact" if table.of_facts else "segment"),
            **_renamed(binary, {"percent": "percent", "positive": "f1"}),
        }
        if not binary["n"]:
            row["undefined"] = dict.fromkeys(row["undefined"], NOTHING_SETTLED)
        yield row
