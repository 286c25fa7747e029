"""Seconds that a thing took, again and again."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Times:
    """`seconds` each time, and `passed`: seconds from the first beginning to the last end."""

    seconds: list[float]
    passed: float

    @property
    def median(self) -> float:
        """In milliseconds."""
        return 1000 * float(np.percentile(self.seconds, 50))

    def __str__(self) -> str:
        late = 1000 * np.percentile(self.seconds, 95)
        return f"{self.median:9.1f} {late:6.1f} {len(self.seconds) / self.passed:9.0f}"
