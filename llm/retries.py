"""When a failed call is tried again, and after how long."""

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
PIECE = r"\d+(?:\.\d+)?\s*(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)(?![a-z])"
DURATION = re.compile(rf"(?:{PIECE}[\s,]*(?:and\s+)?)+", flags=re.IGNORECASE)
SAID = re.compile(
    rf"(?:again|retry|wait|resets?|available)\b[^.\d]{{0,40}}?(?P<duration>{DURATION.pattern})", flags=re.IGNORECASE
)
ONE = re.compile(r"\b(?:an?|one) (?=(?:second|minute|hour|day)\b)", flags=re.IGNORECASE)
SAID_OTHERWISE = (
    re.compile(r"retry[-_ ]?after\W{1,3}(\d+(?:\.\d+)?)(?![\d.]*\w)", flags=re.IGNORECASE),
    re.compile(r"(\d+(?:\.\d+)?) ?秒"),
    re.compile(
        r"(?:again|retry|resets?|available)\b[^\d\n]{0,40}?(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)",
        flags=re.IGNORECASE,
    ),
)
RESET = re.compile(r"(?:[\w-]*-)?rate-?limit(?:-[\w-]+)?-reset(?:-[\w-]+)?")
EPOCH = 1_000_000_000.0  # a number of seconds from there on is a moment
EPOCH_MILLISECONDS = 1000 * EPOCH


@dataclass(frozen=True)
class RetryPolicy:
    """attempts: calls made at most, the first included. The n-th wait is drawn between half and the whole of
    first_wait · 2ⁿ⁻¹, at most `longest_wait`; what a server asks for is kept to, up to `longest_asked`: where it asks
    for more, the work is put off. An attempt that brings nothing for `patience` has failed. All in seconds."""

    attempts: int = 6
    first_wait: float = 0.5
    longest_wait: float = 30.0
    longest_asked: float = 600.0
    patience: float = 300.0

    def wait(self, attempt: int, asked: float | None = None) -> float:
        """Seconds to wait after the attempt with this number, from 1, has failed; asked: as the server asks."""
        if asked is not None:
            return min(asked, self.longest_asked)
        whole = min(self.first_wait * 2.0 ** (attempt - 1), self.longest_wait)
        return random.uniform(whole / 2, whole)  # noqa: S311 - it spreads callers out, it keeps no secret


def retry_after(headers: Mapping[str, str], said: str = "") -> float | None:
    """The seconds from now for which a server asks to wait: in a header of its own, in its words, or as the moment at
    which a limit that is used up begins anew; None where it says nothing that can be read. headers: names in lower
    case."""
    own = [
        _milliseconds(headers.get("retry-after-ms", "")),
        seconds_until(headers.get("retry-after", "")),
    ]
    if any(wait is not None for wait in own):
        return max(wait for wait in own if wait is not None)
    if match := SAID.search(ONE.sub("1 ", said)):
        return seconds_of(match["duration"])
    for form in SAID_OTHERWISE:
        if match := form.search(said):
            return seconds_until(match[1])
    resets = [
        seconds_until(value) for name, value in headers.items() if RESET.fullmatch(name) and _is_used_up(name, headers)
    ]
    return max((wait for wait in resets if wait is not None), default=None)


def _is_used_up(reset: str, headers: Mapping[str, str]) -> bool:
    """Whether nothing is left of the limit, as far as the server says."""
    left = headers.get(reset.replace("reset", "remaining"), "0").strip()
    return not left.isdecimal() or int(left) == 0


def seconds_until(text: str) -> float | None:
    """A number of seconds, a duration (1m30s), or a moment: of the epoch, in seconds or milliseconds, or a date."""
    text = text.strip()
    if re.fullmatch(r"\d+(?:\.\d+)?", text):
        number = float(text)
        if number >= EPOCH:
            moment = number / 1000 if number >= EPOCH_MILLISECONDS else number
            return max(0.0, moment - datetime.now(UTC).timestamp())
        return number
    if DURATION.fullmatch(text):
        return seconds_of(text)
    then = _date(text)
    return None if then is None else max(0.0, (then - datetime.now(UTC)).total_seconds())


def seconds_of(duration: str) -> float:
    pieces = re.findall(r"(\d+(?:\.\d+)?)\s*(ms|milli|[smhd])", duration, flags=re.IGNORECASE)
    total = sum(float(number) * UNITS["ms" if unit.lower() == "milli" else unit.lower()] for number, unit in pieces)
    return round(total, 6)


def _milliseconds(text: str) -> float | None:
    return float(text) / 1000 if re.fullmatch(r"\d+(?:\.\d+)?", text.strip()) else None


def _date(text: str) -> datetime | None:
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            moment = read(text)
        except ValueError:
            continue
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return None


def in_words(seconds: float) -> str:
    """A span of time to a person, in its two largest units."""
    minutes = max(1, round(seconds / 60))
    named = (("day", minutes // 1440), ("hour", minutes // 60 % 24), ("minute", minutes % 60))
    parts = [f"{number} {unit}{'s' * (number != 1)}" for unit, number in named if number]
    return " and ".join(parts[:2])
