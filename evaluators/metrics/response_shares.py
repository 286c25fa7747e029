"""What share of each response's facts is supported, by gold and as judged. Plain arrays in.

See docs/statistics.md, FActScore of a subject model.
"""

from dataclasses import dataclass

import numpy as np
from annotate.agreement.resampling import Flags, Floats, Ints, ratio


@dataclass(frozen=True)
class JudgedShares:
    """Per response (R rows), nan where there are no such facts or the response abstains.

    gold: share supported over its facts with gold. estimated: over those the evaluator judged. both: gold's share over
    the nᵢ facts with gold and judgement; of these the shares `over`-called (supported, though gold says not) and
    `under`-called.
    """

    gold: Floats
    estimated: Floats
    both: Floats
    over: Floats
    under: Floats

    @property
    def labelled(self) -> Flags:
        """With facts that have gold and a judgement."""
        return ~np.isnan(self.both)

    @property
    def judged(self) -> Flags:
        return ~np.isnan(self.estimated)


def judged_shares(
    response: Ints, responses: int, gold_known: Flags, gold: Flags, judged: Flags, called: Flags
) -> JudgedShares:
    """From facts (N rows), `response` numbering that of each.

    gold: it is supported, where `gold_known`; called: the evaluator says so, where it `judged`.
    """
    both = gold_known & judged

    def share(part: Flags, whole: Flags) -> Floats:
        count = (np.bincount(response[rows], minlength=responses) for rows in (part & whole, whole))
        return ratio(*count)

    return JudgedShares(
        gold=share(gold, gold_known),
        estimated=share(called, judged),
        both=share(gold, both),
        over=share(called & ~gold, both),
        under=share(gold & ~called, both),
    )
