"""FActScore of subject models from gold (FActScore §3.1; definitions.md §4). Plain columns in, figures out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotate.agreement.resampling import Flags, Floats, Interval, Ints, Resampling, interval, known, ratio
from annotate.gold.table import NO_GOLD, SUPPORTED, VALUES, GoldTable, number

BINS = 5


@dataclass(frozen=True)
class Shares:
    """Per response (R rows) the shares of its facts by value.

    shares: (R, 3) in the order of VALUES, nan where there are no facts with gold. facts: (R,) how many have gold.
    abstained: (R,). A response that neither abstained nor has gold is not labelled: it counts nowhere.
    """

    shares: Floats
    facts: Ints
    abstained: Flags
    prompt: Ints

    @property
    def responding(self) -> Flags:
        """Those with a score."""
        return (self.facts > 0) & ~self.abstained

    @property
    def score(self) -> Floats:
        """f(response): supported facts over all its facts."""
        return self.shares[:, SUPPORTED]

    def of(self, rows: Flags) -> "Shares":
        return Shares(self.shares[rows], self.facts[rows], self.abstained[rows], self.prompt[rows])


def response_shares(table: GoldTable) -> Shares:
    """The shares of every response of the table, over its facts with gold."""
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
    """Of the score of one subject: prompts are resampled, those it abstained from included."""
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
    return interval(ratio(totals[:, 0], totals[:, 1]), clusters=len(np.unique(prompt)))


def describe_shares(shares: Shares) -> dict[str, float | None]:
    """Macro-averaged shares over all labelled prompts: of facts by value, and of abstentions (which have no facts)."""
    counted = shares.of(shares.responding | shares.abstained)
    filled = np.where(counted.responding[:, None], counted.shares, 0.0)
    by_value = {value: mean(filled[:, code]) for code, value in enumerate(VALUES)}
    return {**by_value, "abstained": mean(counted.abstained.astype(np.float64))}


def supported_by_class(
    shares: Shares, classes: Sequence[str], responding_only: bool = False
) -> dict[str, float | None]:
    """Mean share supported per class of prompt; `classes` names each response's.

    Over all prompts of the class, an abstained response counting 0; or over those responded to.
    """
    counted = shares.responding if responding_only else shares.responding | shares.abstained
    filled = np.where(shares.responding, shares.score, 0.0)
    names, numbers = number(np.array(classes, dtype=object))
    return {name: mean(filled[counted & (numbers == place)]) for place, name in enumerate(names) if name}


def supported_by_position(table: GoldTable, responses: Flags) -> list[float | None]:
    """Share supported by relative position of the fact in its response, pooled: fact i of n is in bin ⌊5i/n⌋.

    responses: which rows of the table's responses count.
    """
    labelled = (table.units.value != NO_GOLD) & responses[table.response_of_unit]
    response = table.response_of_unit[labelled]
    facts = np.bincount(response, minlength=len(responses))
    first = np.cumsum(facts) - facts
    # Units are in reading order, so those of one response stand together.
    place = np.arange(len(response)) - first[response]
    bins = BINS * place // facts[response]
    supported = (table.units.value[labelled] == SUPPORTED).astype(np.float64)
    totals = np.bincount(bins, minlength=BINS).astype(np.float64)
    shares = ratio(np.bincount(bins, weights=supported, minlength=BINS), totals)
    return [known(share) for share in shares]


def common_prompts(shares_of: Mapping[str, Shares]) -> dict[str, Any]:
    """The scores over the prompts that all subjects responded to: {"n", "factscore": {subject: score}}."""
    responded = [set(shares.prompt[shares.responding].tolist()) for shares in shares_of.values()]
    common = np.array(sorted(set.intersection(*responded)) if responded else [], dtype=np.int64)
    scores = {
        subject: mean(shares.score[shares.responding & np.isin(shares.prompt, common)])
        for subject, shares in shares_of.items()
    }
    return {"n": len(common), "factscore": scores}
