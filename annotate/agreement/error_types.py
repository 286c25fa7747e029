"""Agreement on the type of error, among units that both call errors.

See docs/statistics.md, Agreement between annotators.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from annotate.agreement.coefficients import GAP
from annotate.agreement.counting import count_each
from annotate.agreement.describe import by_value, describe
from annotate.agreement.ratings import TYPES, Clusters, Coding, Ratings
from annotate.gold.table import SUPPORTED

NO_TYPES = "no unit was given a type by two annotators who both call it an error"


def describe_types(ratings: Ratings, types: Ratings, names: Sequence[str], clusters: Clusters) -> dict[str, Any]:
    """Of the units that two or more call errors, how far these agree on the type.

    `types` has the rows and columns of `ratings`: codes of `names`, or GAP where no type was given, as many errors
    have none (docs/statistics.md, Values of a judgement). both_errors: units that two or more call errors. n: those of
    them to which two or more gave a type. by_value: per type. Figures are None where undefined.
    """
    errors = (ratings.ratings != GAP) & (ratings.ratings != SUPPORTED)
    both = errors.sum(axis=1) >= 2
    given = Ratings(types.annotators, np.where(errors, types.ratings, GAP)[both], types.response[both]).overlapping()
    (counted,) = count_each([Coding(TYPES, max(2, len(names)), given)], clusters)
    row = {**describe(counted), **by_value(counted, names), "both_errors": int(both.sum())}
    if not counted.n:
        row["undefined"] = dict.fromkeys(row["undefined"], NO_TYPES)
    return row
