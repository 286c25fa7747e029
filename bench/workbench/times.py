"""Seconds that a thing took, again and again."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Times:
    """`seconds` each time, and `passed`: seconds from the first beginning to the last end."""

    seconds: list[float]
    passed: float

    def __str__(self) -> str:
        median, late = (1000 * np.percentile(self.seconds, share) for share in (50, 95))
        return f"{median:9.1f} {late:6.1f} {len(self.seconds) / self.passed:9.0f}"
