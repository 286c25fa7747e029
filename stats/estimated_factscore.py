"""FActScore of subject models as an evaluator estimates it, without gold.

References
----------
Min et al. (2023), FActScore, §4.3. docs/statistics.md, FActScore of a subject model.
"""

from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from stats.arrays import Flags, Floats, Ints, known, ratio
from stats.bootstrap import Resampling, interval, with_width
from stats.factscore_estimation import resampled_means
from stats.intervals import effective_interval
from stats.ranks import rank_of

# γ of the length penalty, in facts.
FEWEST_FACTS = 10
# Where every prompt says the same, resamples tell nothing of chance, but a test that swaps the responses of both does:
# 2·½ⁿ is below 0.05 from six prompts on.
FEWEST_ALIKE = 6


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
    the subjects shown better to the number not shown worse, by the interval of the difference. Below two prompts of
    either subject nothing is shown, and where all resamples give the same value it takes FEWEST_ALIKE.

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
    scored = [_scored_prompts(responses, counted & (responses.subject == place)) for place in range(len(subjects))]
    rows: list[SubjectRow] = [
        {**each, **_rank(estimates, place, drawn, scored)} for place, each in enumerate(estimates)
    ]
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


def _rank(rows: list[SubjectEstimate], place: int, drawn: Floats, scored: list[int]) -> SubjectRank:
    """scored: the number of prompts that each subject's score rests on."""
    score = rows[place]["estimated"]
    if score is None:
        return {"rank": None, "ranks": None}
    others = {
        other: row["estimated"] for other, row in enumerate(rows) if other != place and row["estimated"] is not None
    }
    ends = [_difference(drawn[:, other] - drawn[:, place], min(scored[place], scored[other])) for other in others]
    return {
        "rank": rank_of(score, others.values()),
        "ranks": [1 + sum(low > 0 for low, _ in ends), 1 + len(others) - sum(high < 0 for _, high in ends)],
    }


def _difference(drawn: Floats, prompts: int) -> tuple[float, float]:
    """The ends of the interval of a difference; around 0 where it shows nothing. prompts: of the subject with fewer."""
    around = interval(drawn, prompts)
    if prompts < FEWEST_ALIKE:
        around = with_width(around)
    return (around.low, around.high) if around else (-1.0, 1.0)


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
