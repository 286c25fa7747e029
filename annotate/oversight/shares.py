"""A share of right judgements with its interval; plain numbers in, no database.

See docs/statistics.md, Agreement between annotators, and Intervals and tests.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from annotate.agreement.wilson import wilson_interval

NOTHING = "nothing was judged that is settled"


@dataclass(frozen=True)
class Share:
    """`share` of `n` units over `prompts`; share and its 95 % interval are None with `why` where n is 0."""

    n: int
    prompts: int
    share: float | None
    interval: tuple[float, float] | None
    why: str


def share_of(right: Sequence[bool], prompts: Sequence[int]) -> Share:
    """The share of units judged right. right, prompts: one entry a unit, `prompts` the key of the unit's prompt.

    The interval is Wilson's, with each prompt counted as one independent draw. Units of a prompt depend on each other
    so much that they are worth little more (docs/statistics.md, Intervals and tests: a design effect of 5.7 at 5.2
    segments a prompt). The clustered bootstrap would shrink to a point where somebody has everything right, as with few
    controls is common.
    """
    if not right:
        return Share(0, 0, None, None, NOTHING)
    share = sum(right) / len(right)
    clusters = len(set(prompts))
    return Share(len(right), clusters, share, wilson_interval(share, clusters), "")
