"""F1@K of subject models: the precision of a response's claims, with its recall of K supported claims.

References
----------
Wei et al. (2024), Long-form factuality in large language models (SAFE), §6. Song, Kim and Iyyer (2024), VeriScore: K
by domain. docs/statistics.md, Recall: F1@K.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal, TypedDict

import numpy as np

from stats.arrays import Flags, Floats, Ints, known, number, ratio
from stats.bootstrap import Interval, Resampling
from stats.factscore_estimation import FEWEST_OF_A_SUBJECT
from stats.gold_table import NOT_ENOUGH_EVIDENCE, NOT_SUPPORTED, SUPPORTED, GoldTable
from stats.intervals import effective_intervals, why_withheld

# The largest K that may be chosen.
MOST_K = 1000
# The words for a K that follows from the responses: the median claims of each domain, and of all responses.
BY_DOMAIN: Literal["domain"] = "domain"
MEDIAN: Literal["median"] = "median"
# None: by domain.
KChoice = int | Literal["median"] | None


def parse_k(text: str) -> KChoice:
    """A number, `median`, or `domain`, which nothing at all means too. Raises ValueError."""
    if text in ("", BY_DOMAIN):
        return None
    if text == MEDIAN:
        return MEDIAN
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and 1 <= int(text) <= MOST_K):
        raise ValueError(f"{text!r} is no whole number from 1 to {MOST_K}, nor {MEDIAN} or {BY_DOMAIN}")
    return int(text)


@dataclass(frozen=True)
class ClaimCounts:
    """R responses by their claims: the units judged supported, or not supported, or without enough evidence to tell.
    Irrelevant units are no claims.

    Attributes
    ----------
    supported, not_supported : (R,) int
    counted : (R,) bool
        It abstains, or a unit of it is judged.
    left_out : (R,) bool
        It is judged, but not by claims, where claims are counted; it does not count.
    prompt, subject : (R,) int
        Numbers of its cluster and of its subject model, the latter −1 where it counts for none.
    domain : (R,) int
    domains : their names
    """

    supported: Ints
    not_supported: Ints
    counted: Flags
    left_out: Flags
    prompt: Ints
    subject: Ints
    domain: Ints
    domains: Sequence[str]

    @property
    def claims(self) -> Ints:
        return self.supported + self.not_supported


def claims_of_table(table: GoldTable, values: Ints, subjects: Mapping[str, Flags]) -> ClaimCounts:
    """The claims of the table's responses.

    Parameters
    ----------
    table : GoldTable of U units and R responses
    values : (U,) int
        What gold, or an evaluator, says of each unit: a code of VALUES, below 0 where it says nothing.
    subjects : of each subject the flags (R,) of its responses; others count for none
    """
    responses, answered = table.responses, ~table.responses.abstained[table.response_of_unit]
    subject = np.full(len(responses.key), -1, dtype=np.int64)
    for place, rows in enumerate(subjects.values()):
        subject[rows] = place
    domains, domain = number(table.prompts.domain)
    supported, not_supported, judged = (
        np.bincount(table.response_of_unit[rows & answered], minlength=len(responses.key))
        for rows in (values == SUPPORTED, np.isin(values, (NOT_SUPPORTED, NOT_ENOUGH_EVIDENCE)), values >= 0)
    )
    counted = (judged > 0) | responses.abstained
    prompt, left_out = responses.prompt, np.zeros_like(counted)
    return ClaimCounts(supported, not_supported, counted, left_out, prompt, subject, domain[prompt], domains)


class DomainK(TypedDict):
    """K of a domain, the median of the claims of its n responses with a claim; None without any."""

    domain: str
    k: float | None
    n: int


class FiguresAtK(TypedDict):
    """None where undefined."""

    f1: float | None
    f1_interval: list[float] | None
    recall: float | None
    recall_interval: list[float] | None
    precision: float | None
    precision_interval: list[float] | None


class SubjectAtK(FiguresAtK):
    """Means of a subject over n responses. left_out: further responses, that an evaluator by claims judged without any.
    precision: over its responses with a claim."""

    subject: str
    n: int
    left_out: int


class MeanAtK(FiguresAtK):
    """Plain means over all subjects; None where a subject lacks the figure, or there is none. withheld: by figure, why
    one that has a value has no interval."""

    withheld: dict[str, str]


# Why a dataset has no F1@K.
OF_SEGMENTS = "a segment may state several facts, or none"
OF_LONE_CLAIMS = "every claim stands alone: no subject model's response"
NO_RESPONSE = "no response"


class AtK(TypedDict):
    """choice: how K was chosen. k: that of all responses, None with one of each domain and where no response has a
    claim. domains: their K, empty unless it is of each domain."""

    choice: Literal["number", "median", "domain"]
    k: float | None
    domains: list[DomainK]
    subjects: list[SubjectAtK]
    mean: MeanAtK


def f1_at_k(supported: Ints, not_supported: Ints, k: Floats) -> tuple[Floats, Floats, Floats]:
    """F1@K, recall and precision (R,) of R responses.

    Parameters
    ----------
    supported, not_supported : (R,) int
        S and N, the response's claims by their value.
    k : (R,)
        Above 0; nan where the response's domain has no claim at all.

    Returns
    -------
    F1@K and recall, 0 where S = 0; the precision, nan where S + N = 0.
    """
    some = supported > 0
    precision = ratio(supported, supported + not_supported)
    recall = np.where(some, np.minimum(ratio(supported, k), 1.0), 0.0)
    f1 = np.where(some, ratio(2 * precision * recall, precision + recall), 0.0)
    return f1, recall, precision


def domain_ks(counts: ClaimCounts) -> list[DomainK]:
    """K of each domain in which a response counts."""
    rows: list[DomainK] = []
    for place, name in enumerate(counts.domains):
        own = counts.domain == place
        if (_rows(counts) & own).any():
            k, n = median_claims(counts, own)
            rows.append({"domain": name, "k": k, "n": n})
    return rows


def common_k(at_k: AtK | None) -> float | None:
    """K where all responses have the same one."""
    if at_k is None or at_k["k"] is not None or len(at_k["domains"]) != 1:
        return at_k["k"] if at_k else None
    return at_k["domains"][0]["k"]


def median_claims(counts: ClaimCounts, rows: Flags) -> tuple[float | None, int]:
    """The median of the claims of these responses that count and have one, None without any; and their number."""
    claims = counts.claims[_rows(counts) & rows & (counts.claims > 0)]
    return (float(np.median(claims)) if len(claims) else None), len(claims)


def describe_at_k(counts: ClaimCounts, subjects: Sequence[str], k: KChoice, resampling: Resampling) -> AtK:
    """F1@K, recall and precision of each subject.

    With one K for all responses they are means over responses (SAFE); with the median of the domain, means over the
    responses of each domain, and then over domains (VeriScore). Prompts are resampled, for all subjects at once, and K
    stands.

    Parameters
    ----------
    counts : ClaimCounts
    subjects : their names
    k : 1 to MOST_K; MEDIAN for that of all responses; None for the median of each domain
    resampling : Resampling

    Returns
    -------
    AtK, a row for each subject, and their means.
    """
    by_domain = domain_ks(counts) if k is None else []
    every = np.ones(len(counts.domain), dtype=np.bool_)
    of_all = median_claims(counts, every)[0] if k == MEDIAN else k
    group, ks = _by_domain(counts, by_domain) if k is None else _together(counts, of_all)
    columns = f1_at_k(counts.supported, counts.not_supported, ks[group] if len(ks) else np.ones(len(group)))
    sums = _sums(counts, columns, group, max(len(ks), 1), len(subjects), len(resampling.strata))
    cells = sums.shape[1:]
    drawn = resampling.totals(sums.reshape(len(sums), prod(cells))).reshape(resampling.resamples, *cells)
    clusters = _clusters((sums[..., FIGURES:] > 0).sum(axis=0))
    values, resampled = _means(sums.sum(axis=0)), _means(drawn)
    around = [effective_intervals(values[:, each], resampled[:, :, each], clusters[:, each]) for each in range(FIGURES)]
    sizes, left_out = (
        np.bincount(counts.subject[rows & (counts.subject >= 0)], minlength=len(subjects))
        for rows in (counts.counted, counts.left_out)
    )
    return {
        "choice": BY_DOMAIN if k is None else MEDIAN if k == MEDIAN else "number",
        "k": of_all,
        "domains": by_domain,
        "subjects": [
            _describe(name, int(sizes[place]), int(left_out[place]), values[place], [each[place] for each in around])
            for place, name in enumerate(subjects)
        ],
        "mean": _describe_mean(values, resampled, clusters),
    }


NAMES = ("f1", "recall", "precision")
FIGURES = len(NAMES)


def _rows(counts: ClaimCounts) -> Flags:
    rows: Flags = counts.counted & (counts.subject >= 0)
    return rows


def _together(counts: ClaimCounts, k: float | None) -> tuple[Ints, Floats]:
    """One group of all responses (R,), and its K."""
    return np.zeros(len(counts.domain), dtype=np.int64), np.array([np.nan if k is None else k], dtype=np.float64)


def _by_domain(counts: ClaimCounts, by_domain: Sequence[DomainK]) -> tuple[Ints, Floats]:
    """The group (R,) over which each response is averaged first, and K of each group."""
    places = {row["domain"]: place for place, row in enumerate(by_domain)}
    numbers = np.array([places.get(name, 0) for name in counts.domains], dtype=np.int64)
    ks = np.array([np.nan if row["k"] is None else row["k"] for row in by_domain], dtype=np.float64)
    return numbers[counts.domain], ks


def _sums(
    counts: ClaimCounts, columns: Sequence[Floats], group: Ints, groups: int, subjects: int, prompts: int
) -> Floats:
    """(prompts, subjects, groups, 2 · FIGURES): sums of the figures, and the responses in which each is defined."""
    rows = _rows(counts)
    cell = ((counts.prompt * subjects + counts.subject) * groups + group)[rows]
    own = [column[rows] for column in columns]
    weights = [*(np.nan_to_num(column) for column in own), *((~np.isnan(column)).astype(float) for column in own)]
    size = prompts * subjects * groups
    sums = [np.bincount(cell, weights=each, minlength=size).astype(np.float64) for each in weights]
    return np.stack(sums, axis=-1).reshape(prompts, subjects, groups, 2 * FIGURES)


def _means(sums: Floats) -> Floats:
    """(…, subjects, FIGURES) from sums (…, subjects, groups, 2 · FIGURES): means in each group, then over the groups;
    nan where a group has no response of the subject in which the figure is defined."""
    means: Floats = ratio(sums[..., :FIGURES], sums[..., FIGURES:]).mean(axis=-2)
    return means


def _clusters(prompts: Ints) -> Ints:
    """(subjects, FIGURES) from the prompts of each group (subjects, groups, FIGURES): G² / Σ (1 / c), rounded down; 0
    where a group has none."""
    groups = prompts.shape[1]
    inverse = ratio(np.ones(prompts.shape), prompts).sum(axis=1)
    # Sums of thirds and the like miss whole numbers by the last bits.
    clusters: Ints = np.nan_to_num(np.floor(groups**2 / inverse + 1e-9)).astype(np.int64)
    return clusters


def _describe(name: str, n: int, left_out: int, values: Floats, around: Sequence[Interval | None]) -> SubjectAtK:
    return {"subject": name, "n": n, "left_out": left_out, **_figures(values, around)}


def _describe_mean(values: Floats, drawn: Floats, clusters: Ints) -> MeanAtK:
    """values, clusters: (subjects, FIGURES). drawn: (resamples, subjects, FIGURES), on the same draws."""
    if not len(values):
        return {**_figures(np.full(FIGURES, np.nan), [None] * FIGURES), "withheld": {}}
    means, fewest = values.mean(axis=0), clusters.min(axis=0)
    around = effective_intervals(means, drawn.mean(axis=1), fewest)
    reasons = zip(NAMES, means, around, fewest.tolist(), strict=True)
    withheld = {
        name: why_withheld(prompts, FEWEST_OF_A_SUBJECT)
        for name, mean, interval, prompts in reasons
        if interval is None and not np.isnan(mean)
    }
    return {**_figures(means, around), "withheld": withheld}


def _figures(values: Floats, around: Sequence[Interval | None]) -> FiguresAtK:
    f1, recall, precision = (known(value) for value in values)
    ends = [each.ends() if each else None for each in around]
    return {
        "f1": f1,
        "f1_interval": ends[0],
        "recall": recall,
        "recall_interval": ends[1],
        "precision": precision,
        "precision_interval": ends[2],
    }
