"""Every combination of some evaluators that the chosen rules make, at the units of a gold table. Plain columns."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from stats.arrays import Flags, Floats, Ints
from stats.detection import ERROR, MISSING, UNPARSED, Decisions
from stats.ensembles import at_least, cascade, majority, unsure

ALONE, EITHER, BOTH, MAJORITY, CASCADE = "alone", "either", "both", "majority", "cascade"
RULES = {
    EITHER: "Supported only if both say so",
    BOTH: "An error only if both say so",
    MAJORITY: "Majority of three or more",
    CASCADE: "One first, the other where needed",
}
UNSURE, NOT_READ, NOT_SAID, SAYS_ERROR = "unsure", "unparsed", "missing", "error"
TRIGGERS = {
    UNSURE: "is unsure by its score",
    NOT_READ: "gave an answer that could not be parsed",
    NOT_SAID: "said nothing",
    SAYS_ERROR: "says error",
}


@dataclass(frozen=True)
class Voice:
    """One evaluator. units: its decisions at the units; segments: those on whole sentences, MISSING where it has none.

    scores: the probability of supported, nan where there is none.
    """

    name: str
    units: Decisions
    segments: Decisions
    scores: Floats


@dataclass(frozen=True)
class CombinationSettings:
    """rules: some of RULES. triggers: some of TRIGGERS, when a cascade asks the second. sure: the confidence from
    which the first is believed. ties_are_errors: a tied majority calls an error."""

    rules: Collection[str]
    triggers: Collection[str]
    sure: float
    ties_are_errors: bool


@dataclass(frozen=True)
class Combination:
    """A combination: its rule, the places of its members in the order in which they are asked, its decisions, and
    at which units (N,) each member is asked."""

    rule: str
    members: tuple[int, ...]
    units: Decisions
    segments: Decisions
    asked_at: tuple[Flags, ...]


def combine(voices: Sequence[Voice], settings: CombinationSettings, segment: Ints) -> list[Combination]:
    """Each evaluator by itself, then the combinations rule by rule. segment: that of each unit."""
    return [*alone(voices), *_ensembles(voices, settings), *_cascades(voices, settings, segment)]


def alone(voices: Sequence[Voice]) -> list[Combination]:
    return [
        Combination(ALONE, (place,), voice.units, voice.segments, (_everywhere(voice),))
        for place, voice in enumerate(voices)
    ]


def _ensembles(voices: Sequence[Voice], settings: CombinationSettings) -> Iterator[Combination]:
    for rule in (EITHER, BOTH, MAJORITY):
        sizes = range(3, len(voices) + 1) if rule == MAJORITY else range(2, 3)
        for size in sizes if rule in settings.rules else ():
            needed = {EITHER: 1, BOTH: 2, MAJORITY: majority(size, settings.ties_are_errors)}[rule]
            for members in combinations(range(len(voices)), size):
                chosen = [voices[place] for place in members]
                yield Combination(
                    rule,
                    members,
                    at_least([voice.units for voice in chosen], needed),
                    at_least([voice.segments for voice in chosen], needed),
                    tuple(_everywhere(voice) for voice in chosen),
                )


def _cascades(voices: Sequence[Voice], settings: CombinationSettings, segment: Ints) -> Iterator[Combination]:
    """Both ways round: which of two is the cheap one is for the prices to say.

    The second's decision on a whole sentence counts where it is asked about a fact of it.
    """
    for members in permutations(range(len(voices)), 2) if CASCADE in settings.rules and settings.triggers else ():
        first, second = (voices[place] for place in members)
        passed_on = asks(first, settings)
        about = np.bincount(segment[passed_on], minlength=len(first.segments)) > 0
        yield Combination(
            CASCADE,
            members,
            cascade(first.units, second.units, passed_on),
            cascade(first.segments, second.segments, about),
            (_everywhere(first), passed_on),
        )


def asks(first: Voice, settings: CombinationSettings) -> Flags:
    """At which units a cascade asks the second evaluator."""
    flags = {
        UNSURE: unsure(first.units, first.scores, settings.sure),
        NOT_READ: first.units == UNPARSED,
        NOT_SAID: first.units == MISSING,
        SAYS_ERROR: first.units == ERROR,
    }
    passed_on: Flags = np.any([flags[trigger] for trigger in settings.triggers], axis=0)
    return passed_on


def _everywhere(voice: Voice) -> Flags:
    return np.ones(len(voice.units), dtype=np.bool_)
