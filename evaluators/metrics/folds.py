"""Parts of a data set that are held out in turn, whole prompts together.

See docs/statistics.md, Corrections, thresholds, calibration.
"""

import numpy as np
from annotate.agreement.resampling import Ints

FOLDS = 10
SEED = 20_231


def grouped_folds(strata: Ints, folds: int = FOLDS, seed: int = SEED) -> Ints:
    """The fold of each cluster (C,): shuffled within its stratum and dealt out in turn, so that folds are of a size
    and each stratum is spread over them."""
    generator = np.random.default_rng(seed)
    shuffled = generator.permutation(len(strata))
    in_turn = shuffled[np.argsort(strata[shuffled], kind="stable")]
    fold = np.empty(len(strata), dtype=np.int64)
    fold[in_turn] = np.arange(len(strata)) % folds
    return fold
