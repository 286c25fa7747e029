"""The cluster permutation test (docs/statistics.md, Intervals and tests): were it all the same which of two evaluators
said what, how often would they differ so much?"""

from collections.abc import Callable, Iterator

import numpy as np
from annotate.agreement.resampling import Flags, Floats
from numpy.typing import NDArray

from evaluators.metrics.detection import Counts

PERMUTATIONS = 2_000
# The smallest p that n permutations can give is 1/(n + 1). So that Holm leaves something to find in a table of many
# pairs, there are so many for each.
PERMUTATIONS_PER_PAIR = 30
MOST_PERMUTATIONS = 25_000
# Pairs with so many permutations as extreme as what was seen are left alone after the first ones: they are nowhere
# near significant (Besag and Clifford 1991).
ENOUGH = 50
BLOCK = 500
# Differences are quotients of whole numbers; those that are equal may differ in the last bits.
ROUNDING = 1e-12


def permutations_for(pairs: int) -> int:
    """How many permutations a table of so many pairs asks for."""
    return min(MOST_PERMUTATIONS, max(PERMUTATIONS, PERMUTATIONS_PER_PAIR * pairs))


def permutation_test(
    one: Counts, other: Counts, compute: Callable[[Counts], Floats], seed: int, permutations: int = PERMUTATIONS
) -> Floats:
    """Two-sided p (P,) of the difference of a figure between the evaluators of P pairs; nan where it is undefined.

    one, other: their counts in each cluster (C, P), on the units both judged. In each cluster both evaluators' whole
    responses change places or do not, the same clusters for all pairs. p = (1 + as extreme) / (1 + permutations).
    """
    errors, correct = (one.tp + one.fn).sum(axis=0), (one.fp + one.tn).sum(axis=0)
    pairs = one.tp.shape[1]

    def differences(tp: Floats, fp: Floats, tp_other: Floats, fp_other: Floats, chosen: Flags) -> Floats:
        error, right = errors[chosen], correct[chosen]
        return compute(Counts(tp, fp, error - tp, right - fp)) - compute(
            Counts(tp_other, fp_other, error - tp_other, right - fp_other)
        )

    everyone: Flags = np.ones(pairs, dtype=np.bool_)
    totals = [each.sum(axis=0) for each in (one.tp, one.fp, other.tp, other.fp)]
    observed = np.abs(differences(totals[0], totals[1], totals[2], totals[3], everyone)) - ROUNDING
    rows = np.flatnonzero(((one.tp != other.tp) | (one.fp != other.fp)).any(axis=1))
    moves = [(theirs - ours)[rows].astype(np.float32) for ours, theirs in ((one.tp, other.tp), (one.fp, other.fp))]
    extreme, done = np.zeros(pairs), np.zeros(pairs)
    open_: Flags = ~np.isnan(observed)
    for swaps in _swaps(len(one.tp), permutations, seed):
        if not open_.any():
            break
        moved_tp, moved_fp = ((swaps[:, rows] @ each[:, open_]).astype(np.float64) for each in moves)
        tp, fp, tp_other, fp_other = (each[open_] for each in totals)
        drawn = differences(tp + moved_tp, fp + moved_fp, tp_other - moved_tp, fp_other - moved_fp, open_)
        # One in which the figure is undefined counts as extreme: that can only make p larger.
        extreme[open_] += (~(np.abs(drawn) < observed[open_])).sum(axis=0)
        done[open_] += len(swaps)
        open_ &= (extreme < ENOUGH) | (done < PERMUTATIONS)
    return np.where(np.isnan(observed), np.nan, (extreme + 1) / (done + 1))


def _swaps(clusters: int, permutations: int, seed: int) -> Iterator[NDArray[np.float32]]:
    """In blocks (some permutations, clusters): 1 where the evaluators change places, else 0."""
    generator = np.random.default_rng([seed, 1])
    for start in range(0, permutations, BLOCK):
        count = min(BLOCK, permutations - start)
        bits = generator.integers(0, 256, size=(count, -(-clusters // 8)), dtype=np.uint8)
        yield np.unpackbits(bits, axis=1, count=clusters).astype(np.float32)
