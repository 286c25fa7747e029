"""When a failed call is tried again, and after how long."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


@dataclass(frozen=True)
class RetryPolicy:
    """attempts: calls made at most, the first included. The n-th wait is drawn between half and the whole of
    first_wait · 2ⁿ⁻¹, at most `longest_wait`; a server's Retry-After is kept to, up to `longest_asked`. An attempt that
    brings nothing for `patience` has failed. All in seconds."""

    attempts: int = 6
    first_wait: float = 0.5
    longest_wait: float = 30.0
    longest_asked: float = 120.0
    patience: float = 300.0

    def wait(self, attempt: int, headers: Mapping[str, str] | None = None) -> float:
        """Seconds to wait after the attempt with this number, from 1, has failed."""
        seconds = retry_after(headers or {})
        if seconds is not None:
            return min(seconds, self.longest_asked)
        whole = min(self.first_wait * 2.0 ** (attempt - 1), self.longest_wait)
        return random.uniform(whole / 2, whole)  # noqa: S311 - it spreads callers out, it keeps no secret


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The header Retry-After, a number of seconds or a date, as seconds from now; None where it says neither."""
    text = headers.get("retry-after", "").strip()
    if text.isdecimal():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
