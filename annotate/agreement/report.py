"""The document of `agreement` (cli.md): how far annotators agree, before any adjudication (definitions.md §5)."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from annotate.agreement.describe import Clusters, Ratings, describe_agreement
from annotate.agreement.read import Said, align, merge, read_gold_as, read_labels, to_ratings
from annotate.agreement.resampling import Flags, Resampling
from annotate.gold.read import read_gold
from annotate.gold.table import GoldTable, number
from annotate.models import Dataset

# Gold as a rater; no user's name is empty.
GOLD = ""


def build_agreement(dataset: Dataset) -> dict[str, Any]:
    """Plain JSON values, None where undefined.

    results: per slice ("all", then domains, or subjects for FActScore) and kind of values. pairs: the same of two
    annotators who share units. human_reference: the F1 of one annotator against the other, pooled over pairs, to read
    evaluators against. against_gold: each annotator against gold, inflated because gold came from them.
    """
    table = read_gold(dataset)
    said = read_labels(dataset)
    ratings = to_ratings(align(said, table.of_facts), table)
    clusters = _clusters(ratings, table)
    results = [
        {"slice": {_slice_name(table): name}, **row}
        for name, responses in _slices(ratings, table)
        for row in describe_agreement(ratings.within(responses), clusters)
    ]
    pairs = [
        {"annotators": [first, second], **row}
        for first, second in _pairs(ratings)
        for row in describe_agreement(ratings.by([first, second]), clusters)
    ]
    return {
        "dataset": dataset.name,
        "seed": clusters.resampling.seed,
        "resamples": clusters.resampling.resamples,
        "results": results,
        "pairs": pairs,
        "human_reference": _human_reference(results[0], "fact" if table.of_facts else "segment"),
        "against_gold": list(_against_gold(ratings, said, table)),
    }


def _clusters(ratings: Ratings, table: GoldTable) -> Clusters:
    """The prompts with units that two or more judged: the others say nothing of agreement and are not drawn."""
    prompt = table.responses.prompt
    drawn = np.unique(prompt[ratings.overlapping().response])
    place = np.full(len(table.strata), -1, dtype=np.int64)
    place[drawn] = np.arange(len(drawn))
    return Clusters(place[prompt], Resampling(table.strata[drawn]))


def _slice_name(table: GoldTable) -> str:
    return "subject" if table.of_facts else "domain"


def _slices(ratings: Ratings, table: GoldTable) -> Iterator[tuple[str, Flags]]:
    """Flags of responses: all, then those of each domain or subject that somebody labelled."""
    yield "all", np.ones(len(table.responses.key), dtype=np.bool_)
    of_response = table.responses.subject if table.of_facts else table.prompts.domain[table.responses.prompt]
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
        "undefined": {"f1": binary["undefined"]["positive"]} if "positive" in binary["undefined"] else {},
    }


def _against_gold(ratings: Ratings, said: Said, table: GoldTable) -> Iterator[dict[str, Any]]:
    with_gold = to_ratings(align(merge(said, read_gold_as(GOLD, table)), table.of_facts), table)
    for name in ratings.annotators if GOLD in with_gold.annotators else ():
        pair = with_gold.by([name, GOLD])
        binary, _ = describe_agreement(pair, _clusters(pair, table))
        f1 = _human_reference(binary, "fact" if table.of_facts else "segment")
        yield {"annotator": name, "inflated": True, "percent": binary["percent"], **f1}
