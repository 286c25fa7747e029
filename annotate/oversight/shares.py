"""A share of right judgements with its interval (definitions.md §5 and §6); plain columns in, no database."""

from dataclasses import dataclass

import numpy as np

from annotate.agreement.resampling import Flags, Ints, Resampling, cluster_sums, interval, ratio

NOTHING = "nothing was judged that is settled"
ONE_PROMPT = "all of it answers one prompt: whole prompts are resampled, and one alone does not vary"


@dataclass(frozen=True)
class Share:
    """`share` of `n` units, None with `why` where n is 0; `interval` is 95 %, None with `why` for a single prompt."""

    n: int
    share: float | None
    interval: tuple[float, float] | None
    why: str


def clustered_share(right: Flags, prompt: Ints, stratum: Ints) -> Share:
    """The share of true flags, whole prompts resampled within strata.

    right, prompt, stratum: one entry a unit; `prompt` and `stratum` are any numbers that tell them apart.
    """
    if not len(right):
        return Share(0, None, None, NOTHING)
    _, first, cluster = np.unique(prompt, return_index=True, return_inverse=True)
    _, strata = np.unique(stratum[first], return_inverse=True)
    columns = np.stack([right.astype(np.float64), np.ones(len(right))], axis=1)
    drawn = Resampling(strata).totals(cluster_sums(cluster, columns, len(first)))
    around = interval(ratio(drawn[:, 0], drawn[:, 1]), len(first))
    share = float(right.mean())
    if around is None:
        return Share(len(right), share, None, ONE_PROMPT)
    return Share(len(right), share, (around.low, around.high), "")
