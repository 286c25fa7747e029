"""Settings of an evaluator that keep a rate of mistakes at most at a stated rate, with a stated probability.

Learn then Test: each setting has the hypothesis that its rate is above the stated one. The settings are tested in an
order that was fixed before looking, from the most cautious to the cheapest, and the first that is not rejected ends the
sequence. Prompts are the exchangeable units. A test bets on each prompt in turn: its wealth is a martingale under the
hypothesis.

References
----------
Angelopoulos, Bates, Candès, Jordan and Lei (2021), Learn then Test; Waudby-Smith and Ramdas (2024), Estimating means of
bounded random variables by betting; Voráček and Orabona (2025), STaR-Bets. docs/statistics.md, Promises.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log

import numpy as np

from stats.arrays import Flags, Floats, Ints, ratio
from stats.bootstrap import ROUNDING, SEED, cluster_sums

# The upper bounds are whole steps of this.
STEP = 0.01
# Of the largest bet that cannot lose more than it has.
LARGEST_BET = 0.95
# Four times in five, as for detectable differences.
POWER_QUANTILE = 0.84


@dataclass(frozen=True)
class PromptLosses:
    """What S settings lose in each of P prompts; the rate of a setting is Σ lost / Σ out_of over all prompts.

    Attributes
    ----------
    lost, out_of : (P, S)
        0 ≤ lost ≤ out_of ≤ most.
    most : float
    """

    lost: Floats
    out_of: Floats
    most: float

    @property
    def rates(self) -> Floats:
        """(S,); nan where there is nothing to lose."""
        return ratio(self.lost.sum(axis=0), self.out_of.sum(axis=0))


@dataclass(frozen=True)
class TestedSettings:
    """S settings, in the order in which they were tested.

    Attributes
    ----------
    bound : (S,)
        Upper bound of the rate, each alone, in hundredths; 1 where nothing is known.
    p : (S,)
        Of the hypothesis that the rate is above the stated one: at most `level` just where the bound
        is at most that rate.
    tested, qualified : (S,) bool
        The sequence came so far; and the hypothesis was rejected.
    level : float
        1 − the probability, divided by the number of starts.
    """

    bound: Floats
    p: Floats
    tested: Flags
    qualified: Flags
    level: float

    @property
    def cheapest(self) -> int | None:
        """The place of the last setting that qualified; None: none did."""
        places = np.flatnonzero(self.qualified)
        return int(places[-1]) if len(places) else None


def unit_weights(cluster: Ints, most: int) -> Floats:
    """1 for each of N units, less in a prompt of more than `most`: its units weigh `most` together."""
    return np.minimum(1.0, most / np.bincount(cluster)[cluster])


def missed_errors(
    cluster: Ints, error: Flags, passed: Flags, *, among_passed: bool = False, most: int | None = None
) -> PromptLosses:
    """The losses of settings that pass units as right without anyone looking at them.

    Parameters
    ----------
    cluster, error : (N,)
        Prompt of each unit, and whether gold calls it an error.
    passed : (N, S) bool
        The setting passes it as right.
    among_passed : bool
        The rate is the share of errors among the units that are passed; else the share of errors that are passed.
    most : int or None
        None: each prompt with something to lose counts the same, and the rate is the mean of theirs. Else units are
        counted, and a prompt with more than `most` units counts as one with so many: a bet needs a bound on what one
        prompt can lose.

    Returns
    -------
    PromptLosses of the prompts that have a unit.
    """
    _, prompt = np.unique(cluster, return_inverse=True)
    weights = (np.ones(len(prompt)) if most is None else unit_weights(prompt, most))[:, None]
    count = int(prompt.max()) + 1 if len(prompt) else 0
    of = passed if among_passed else np.broadcast_to(error[:, None], passed.shape)
    lost, out_of = (cluster_sums(prompt, weights * each, count) for each in (passed & error[:, None], of))
    if most is not None:
        return PromptLosses(lost, out_of, most)
    some = (out_of > 0).astype(np.float64)
    return PromptLosses(np.divide(lost, out_of, out=np.zeros_like(lost), where=out_of > 0), some, 1)


def control_risk(
    losses: PromptLosses,
    rate: float,
    probability: float,
    *,
    starts: Sequence[int] = (0,),
    seed: int = SEED,
    step: float = STEP,
) -> TestedSettings:
    """Test the settings in their order.

    Parameters
    ----------
    losses : PromptLosses
        Settings from the most cautious to the cheapest.
    rate : float
        Above 0 and below 1.
    probability : float
        Of the promise: at least so often no setting qualifies whose rate is above `rate`.
    starts : places of settings
        A sequence begins at each of them and ends at the first setting that is not rejected; 1 − probability is
        shared among them.
    seed : int
        Of the order in which prompts are bet on.
    step : float
        Of the upper bounds.
    """
    level = (1 - probability) / len(starts)
    rates = np.unique(np.append(np.arange(step, 1 - ROUNDING, step), rate))
    order = np.random.default_rng([seed, 2]).permutation(len(losses.lost))
    wealth = bet_against(losses.lost[order], losses.out_of[order], losses.most, rates, level)
    # A rate is excluded where all above it are too.
    least = np.minimum.accumulate(wealth[:, ::-1], axis=1)[:, ::-1]
    p = np.minimum(1.0, 1 / np.maximum(least, ROUNDING))
    excluded = p <= level
    bound = np.append(rates, 1.0)[(~excluded).sum(axis=1)]
    own = p[:, int(np.searchsorted(rates, rate - ROUNDING))]
    tested, qualified = fixed_sequences(own <= level, starts)
    return TestedSettings(bound, own, tested, qualified, level)


def fixed_sequences(rejected: Flags, starts: Sequence[int]) -> tuple[Flags, Flags]:
    """Which of S hypotheses are tested, and which rejected: from each start a sequence goes on while it rejects."""
    tested, qualified = np.zeros((2, len(rejected)), dtype=np.bool_)
    for start in starts:
        failed = np.flatnonzero(~rejected[start:])
        end = start + int(failed[0]) if len(failed) else len(rejected)
        tested[start : end + 1] = True
        qualified[start:end] = True
    return tested, qualified


def bet_against(lost: Floats, out_of: Floats, most: float, rates: Floats, level: float) -> Floats:
    """The largest wealth of a gambler who bets in turn on each prompt that the rate is lower.

    Where the rate is not lower, the wealth is a supermartingale that starts at 1, and reaches 1 / level with a
    probability of at most `level` (Ville). Were the outcomes normal, these bets would reach it as often as the most
    powerful test rejects; they end there.

    Parameters
    ----------
    lost, out_of : (P, S)
        In the order of the bets. Prompts with nothing to lose say nothing on the rate and are left out.
    most : float
    rates : (R,)
        Above 0 and below 1.
    level : float

    Returns
    -------
    (S, R)
    """
    shape = (lost.shape[1], len(rates))
    active = out_of > 0
    left = active[::-1].cumsum(axis=0)[::-1]
    wealth, best = np.ones(shape), np.ones(shape)
    largest = LARGEST_BET / (1 - rates)
    squares, count = np.broadcast_to(rates * (1 - rates), shape) / 4, np.ones((shape[0], 1))
    for place in np.flatnonzero(active.any(axis=1)):
        gain = (rates * out_of[place][:, None] - lost[place][:, None]) / most
        reached = np.clip(level * wealth, ROUNDING, 1.0)
        spread = np.sqrt(squares / count * np.maximum(left[place], 1)[:, None])
        wealth = wealth * (1 + np.minimum(_hedge(reached) / spread, largest) * gain)
        best = np.maximum(best, wealth)
        squares, count = squares + gain**2, count + active[place][:, None]
    return best


def _hedge(reached: Floats) -> Floats:
    """The share of the wealth that is bet, in standard deviations of the outcomes to come: that of the hedge of an
    option which pays 1 where their sum exceeds a bound, and is worth `reached` now."""
    from scipy.special import ndtri

    return np.where(reached < 1, np.exp(-(ndtri(reached) ** 2) / 2) / np.sqrt(2 * np.pi) / reached, 0.0)


def fewest_prompts(rate: float, level: float) -> int:
    """Prompts with something to lose below which no setting can qualify, even if it loses nothing in prompts of the
    largest size."""
    return ceil(log(1 / level) / log(1 + LARGEST_BET * rate / (1 - rate)))


def prompts_needed(losses: PromptLosses, setting: int, rate: float, level: float) -> int | None:
    """About how many prompts with something to lose it takes that a setting with these losses qualifies four times in
    five. None: there are no such prompts, or its rate is not below the stated one."""
    from scipy.special import ndtri

    out_of = losses.out_of[:, setting]
    lost, out_of = losses.lost[out_of > 0, setting], out_of[out_of > 0]
    gain = (rate * out_of - lost) / losses.most
    if not len(gain) or gain.mean() <= 0:
        return None
    without_loss = log(1 / level) / float(np.log1p(LARGEST_BET / (1 - rate) * rate * out_of / losses.most).mean())
    with_losses = ((POWER_QUANTILE - float(ndtri(level))) * gain.std() / gain.mean()) ** 2 if lost.any() else 0.0
    return ceil(max(without_loss, with_losses))
