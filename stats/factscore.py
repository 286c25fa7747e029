"""FActScore of subject models from gold.

References
----------
Min et al. (2023), FActScore, §3.1. docs/statistics.md, FActScore of a subject model.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from stats.arrays import Flags, Floats, Ints, ratio
from stats.bootstrap import Interval, Resampling
from stats.gold_table import NO_GOLD, SHARED_VALUES, SUPPORTED, VALUES, GoldTable
from stats.intervals import effective_interval


@dataclass(frozen=True)
class Shares:
    """Shares of the facts of R responses by value.

    A response that neither abstained nor has gold is not labelled: it counts nowhere.

    Attributes
    ----------
    shares : (R, 4)
        In the order of VALUES, nan where there are no facts with gold.
    facts : (R,) int
        How many have gold.
    abstained : (R,) bool
    prompt : (R,) int
    """

    shares: Floats
    facts: Ints
    abstained: Flags
    prompt: Ints

    @property
    def responding(self) -> Flags:
        """Whether each response has a score."""
        return (self.facts > 0) & ~self.abstained

    @property
    def score(self) -> Floats:
        """f(response): supported facts over all its facts."""
        return self.shares[:, SUPPORTED]

    def of(self, rows: Flags) -> "Shares":
        return Shares(self.shares[rows], self.facts[rows], self.abstained[rows], self.prompt[rows])


def response_shares(table: GoldTable) -> Shares:
    """Shares of every response of the table, over its facts with gold."""
    labelled = table.units.value != NO_GOLD
    response, value = table.response_of_unit[labelled], table.units.value[labelled]
    rows = len(table.responses.key)
    counts = np.bincount(response * len(VALUES) + value, minlength=rows * len(VALUES)).reshape(rows, len(VALUES))
    facts = counts.sum(axis=1)
    return Shares(
        ratio(counts, np.repeat(facts[:, None], len(VALUES), axis=1)),
        facts,
        table.responses.abstained,
        table.responses.prompt,
    )


def mean(values: Floats) -> float | None:
    """The unweighted mean; None of nothing."""
    return float(values.mean()) if len(values) else None


def score_interval(shares: Shares, resampling: Resampling) -> Interval | None:
    """The interval of one subject's score; prompts are resampled, those it abstained from included."""
    responding = shares.responding
    clusters = len(resampling.strata)
    prompt = shares.prompt[responding]
    sums = np.stack(
        [
            np.bincount(prompt, weights=shares.score[responding], minlength=clusters),
            np.bincount(prompt, minlength=clusters).astype(np.float64),
        ],
        axis=1,
    )
    totals = resampling.totals(sums)
    value = mean(shares.score[responding])
    return effective_interval(value, ratio(totals[:, 0], totals[:, 1]), len(np.unique(prompt)))


def describe_shares(shares: Shares) -> dict[str, float | None]:
    """Macro-averaged shares over all labelled prompts: of facts by value, and of abstentions, which have no facts."""
    counted = shares.of(shares.responding | shares.abstained)
    filled = np.where(counted.responding[:, None], counted.shares, 0.0)
    by_value = {value: mean(filled[:, code]) for code, value in enumerate(SHARED_VALUES)}
    return {**by_value, "abstained": mean(counted.abstained.astype(np.float64))}


def common_prompts(shares_of: Mapping[str, Shares]) -> dict[str, Any]:
    """Scores over the prompts that all subjects responded to: {"n", "factscore": {subject: score}}."""
    responded = [set(shares.prompt[shares.responding].tolist()) for shares in shares_of.values()]
    common = np.array(sorted(set.intersection(*responded)) if responded else [], dtype=np.int64)
    scores = {
        subject: mean(shares.score[shares.responding & np.isin(shares.prompt, common)])
        for subject, shares in shares_of.items()
    }
    return {"n": len(common), "factscore": scores}
