"""Differences between two reports."""

from collections.abc import Iterator, Mapping
from typing import Any

# Keys that hold no figure: they name a place, or parts of a price, which a bundle does where it knows others.
NO_FIGURES = ("dataset", "gold_version", "run", "runs", "unpriced")
SHOWN = 10


def differing(there: Mapping[str, Any], here: Mapping[str, Any], suffix: str = "") -> list[str]:
    """The first figures of the report `there` that are not the same `here`, to the last digit, each in words; suffix:
    what evaluators are named after, here. Empty: all are the same."""
    differences = list(_differing(_by_name(there, ""), _by_name(here, suffix), ""))
    more = [f"… and {len(differences) - SHOWN} more"] if len(differences) > SHOWN else []
    return differences[:SHOWN] + more


def _by_name(report: Mapping[str, Any], suffix: str) -> dict[str, Any]:
    """The report with its evaluators by name, so that their order does not matter."""
    entries = {entry["evaluator"].removesuffix(suffix): entry | {"evaluator": ""} for entry in report["evaluators"]}
    return {**report, "evaluators": entries}


def _differing(there: Any, here: Any, path: str) -> Iterator[str]:
    if isinstance(there, dict) and isinstance(here, dict):
        for key in dict.fromkeys([*there, *here]):
            if key not in NO_FIGURES:
                yield from _differing(there.get(key), here.get(key), f"{path} {key}".strip())
    elif isinstance(there, list) and isinstance(here, list) and len(there) == len(here):
        for place, (one, other) in enumerate(zip(there, here, strict=True)):
            yield from _differing(one, other, f"{path} {_name(one, place)}")
    elif there != here:
        yield f"{path}: {_short(there)} there, {_short(here)} here"


def _name(row: Any, place: int) -> str:
    """A row of results by its level and slice, of subjects by the subject; anything else by its place."""
    match row:
        case {"level": level, "slice": {**of}} if of:
            return f"{level} {next(iter(of.values()))}"
        case {"subject": subject}:
            return str(subject)
        case _:
            return str(place)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"
