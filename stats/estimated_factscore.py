"""FActScore of subject models as an evaluator estimates it, without gold.

References
----------
Min et al. (2023), FActScore, §4.3. docs/statistics.md, FActScore of a subject model.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import TypedDict

import numpy as np

from stats.arrays import Flags, Floats, Ints, known, ratio
from stats.bootstrap import Resampling
from stats.factscore_estimation import resampled_means
from stats.intervals import effective_interval
from stats.mean_pairs import compare_means
from stats.ranks import rank_of, rank_ranges
from stats.step_down import step_down

# γ of the length penalty, in facts, as published; and the most that it may be.
FEWEST_FACTS, MOST_FACTS = 10, 1000


@dataclass(frozen=True)
class EstimatedResponses:
    """R responses that an evaluator's run covers.

    Attributes
    ----------
    subject, prompt : (R,) int
    responding : (R,) bool
        It did not abstain.
    unjudged : (R,) bool
        The evaluator got to no end with it, so that nothing is known of it.
    facts, judged, supported : (R,) int
        Its facts, those with a verdict, and the supported ones of those.
    """

    subject: Ints
    prompt: Ints
    responding: Flags
    unjudged: Flags
    facts: Ints
    judged: Ints
    supported: Ints

    def scores(self, penalty: int | None) -> Floats:
        """Share supported of each response's judged facts; nan where it abstains or has none judged.

        Parameters
        ----------
        penalty : int, or None
            γ: responses of n ≤ γ facts are multiplied by exp(1 − γ/n). None: no penalty.
        """
        shares = np.where(self.responding, ratio(self.supported, self.judged), np.nan)
        if penalty is None:
            return shares
        facts = np.maximum(self.facts, 1)
        return np.where(facts <= penalty, shares * np.exp(1 - penalty / facts), shares)


class SubjectRank(TypedDict):
    """rank: from 1; ranks: the range that it may have. None without a score."""

    rank: int | None
    ranks: list[int] | None


class SubjectEstimate(TypedDict):
    """Estimated score of a subject; None where undefined.

    prompts: covered, of them unjudged. responding: the share of the others without abstention. facts_per_response: of
    responses without abstention. coverage: the share of their facts with a verdict. estimated: the mean score.
    """

    subject: str
    prompts: int
    unjudged: int
    responding: float | None
    facts_per_response: float | None
    coverage: float | None
    estimated: float | None
    interval: list[float] | None


class SubjectRow(SubjectEstimate, SubjectRank):
    """Estimated score of a subject and its rank (docs/commands.md, `score_subjects`)."""


class CommonEstimates(TypedDict):
    """Means by subject over the prompts that all subjects with a score have a counted response to; n: those prompts."""

    n: int
    estimated: dict[str, float | None]


class SubjectEstimates(TypedDict):
    """subjects: the best first."""

    subjects: list[SubjectRow]
    common_prompts: CommonEstimates


def describe_subjects(
    responses: EstimatedResponses, subjects: list[str], resampling: Resampling, penalty: int | None = None
) -> SubjectEstimates:
    """Estimated scores and ranks of the subjects.

    A mean's interval resamples prompts, abstentions included, paired across subjects. A range of ranks goes from 1 +
    the subjects shown better to the number not shown worse. All pairs of subjects are decided together
    (stats/mean_pairs.py, stats/step_down.py).

    Parameters
    ----------
    responses : EstimatedResponses
    subjects : their names
    resampling : Resampling
    penalty : γ of the length penalty, or None

    Returns
    -------
    SubjectEstimates, a row for each subject.
    """
    scores = responses.scores(penalty)
    counted = ~np.isnan(scores)
    drawn = resampled_means(scores, counted, responses.subject, subjects, responses.prompt, resampling)
    estimates = [
        _describe(responses, scores, counted, place, name, drawn[:, place]) for place, name in enumerate(subjects)
    ]
    ranks = _ranks([row["estimated"] for row in estimates], scores, counted, responses, resampling)
    rows: list[SubjectRow] = [{**each, **rank} for each, rank in zip(estimates, ranks, strict=True)]
    return {
        "subjects": sorted(rows, key=lambda row: (row["rank"] is None, row["rank"], row["subject"])),
        "common_prompts": _common(responses, scores, counted, subjects),
    }


def _describe(
    responses: EstimatedResponses, scores: Floats, counted: Flags, place: int, name: str, drawn: Floats
) -> SubjectEstimate:
    own = responses.subject == place
    known_rows, responding = own & ~responses.unjudged, own & responses.responding
    estimated = float(scores[own & counted].mean()) if (own & counted).any() else None
    around = effective_interval(estimated, drawn, _scored_prompts(responses, own & counted))
    return {
        "subject": name,
        "prompts": int(own.sum()),
        "unjudged": int((own & responses.unjudged).sum()),
        "responding": known(ratio(responding.sum(), known_rows.sum())),
        "facts_per_response": known(ratio(responses.facts[responding].sum(), responding.sum())),
        "coverage": known(ratio(responses.judged[responding].sum(), responses.facts[responding].sum())),
        "estimated": estimated,
        "interval": around.ends() if around else None,
    }


def _scored_prompts(responses: EstimatedResponses, rows: Flags) -> int:
    return len(np.unique(responses.prompt[rows]))


def _ranks(
    values: list[float | None], scores: Floats, counted: Flags, responses: EstimatedResponses, resampling: Resampling
) -> list[SubjectRank]:
    """Ranks among the subjects with a score; the pairs are one family."""
    scored = [place for place, value in enumerate(values) if value is not None]
    known_values = {place: value for place, value in enumerate(values) if value is not None}
    sums, counts = (
        _by_prompt(responses, counted, weights, len(resampling.strata), len(values))[:, scored]
        for weights in (scores[counted], None)
    )
    better = _shown_better(sums, counts, resampling)
    ranges = dict(zip(scored, rank_ranges(better), strict=True))
    return [
        {"rank": rank_of(known_values[place], known_values.values()), "ranks": list(ranges[place])}
        if place in known_values
        else {"rank": None, "ranks": None}
        for place in range(len(values))
    ]


def _by_prompt(
    responses: EstimatedResponses, counted: Flags, weights: Floats | None, prompts: int, subjects: int
) -> Floats:
    """Sums (prompts, subjects) over the responses that count; their number without weights."""
    cell = responses.prompt[counted] * subjects + responses.subject[counted]
    return np.bincount(cell, weights=weights, minlength=prompts * subjects).reshape(prompts, subjects).astype(float)


def _shown_better(sums: Floats, counts: Floats, resampling: Resampling) -> Flags:
    """(S, S) whether the first subject is shown better than the second."""
    subjects = sums.shape[1]
    better = np.zeros((subjects, subjects), dtype=np.bool_)
    pairs = list(combinations(range(subjects), 2))
    compared = compare_means(sums, counts, pairs, resampling)
    significant = step_down(compared.observed, compared.draws).significant
    for row in np.flatnonzero(significant):
        one, other = pairs[row]
        better[(one, other) if compared.differences[row] > 0 else (other, one)] = True
    return better


def _common(responses: EstimatedResponses, scores: Floats, counted: Flags, subjects: list[str]) -> CommonEstimates:
    """The means over the prompts to which every subject that has a score at all has a response that counts."""
    answered = np.zeros((int(responses.prompt.max(initial=-1)) + 1, len(subjects)), dtype=np.bool_)
    answered[responses.prompt[counted], responses.subject[counted]] = True
    scored: Flags = answered.sum(axis=0) > 0
    common: Flags = answered.sum(axis=1) == max(scored.sum(), 1)
    rows = counted & common[responses.prompt]
    means = {
        name: known(ratio(scores[rows & (responses.subject == place)].sum(), common.sum())) if scored[place] else None
        for place, name in enumerate(subjects)
    }
    return {"n": int(common.sum()), "estimated": means}
