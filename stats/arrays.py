"""Types of arrays, and the operations that every figure needs; nan stands for undefined until a figure is printed."""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Texts = NDArray[np.object_]


def ratio(part: Floats | Ints, whole: Floats | Ints) -> Floats:
    """part / whole, elementwise.

    Parameters
    ----------
    part, whole : arrays of shapes that broadcast

    Returns
    -------
    Array of the common shape; nan (undefined) where `whole` is 0 or less.
    """
    shares: Floats = np.full(np.broadcast_shapes(np.shape(part), np.shape(whole)), np.nan)
    return np.divide(part, whole, out=shares, where=np.asarray(whole) > 0)


def known(value: float | Floats) -> float | None:
    """A figure as it is printed: a float, or None where it is undefined (nan)."""
    return None if np.isnan(value) else float(value)


def mean_known(values: Floats) -> float | None:
    """The mean of the values (N,) that are not nan; None without any."""
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else None


def number(texts: Texts) -> tuple[list[str], Ints]:
    """Different texts in the order of their first appearance, and the number (N,) of each row's among them."""
    places: dict[str, int] = {}
    numbers = [places.setdefault(text, len(places)) for text in texts]
    return list(places), np.array(numbers, dtype=np.int64)
