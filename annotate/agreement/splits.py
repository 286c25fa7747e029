"""Units on which people differ: each judgement, and the difference."""

from dataclasses import dataclass
from enum import Enum

from stats.boundaries import scopes
from stats.gold_table import SUPPORTED, VALUES
from stats.ratings import TypesByRater, ValuesByRater


class Kind(Enum):
    """Kinds of differences, the weightiest first."""

    ERROR = "error"
    SCOPE = "scope"
    VALUE = "value"
    TYPE = "type"

    @property
    def title(self) -> str:
        return _TITLES[self]


_TITLES = {
    Kind.ERROR: "Error or not",
    Kind.SCOPE: "The sentence, or its facts",
    Kind.VALUE: "Which value",
    Kind.TYPE: "Which type of error",
}


@dataclass(frozen=True)
class SplitSide:
    """One annotator's judgement; `value` "" where they judged the sentence's facts instead."""

    annotator: str
    value: str
    error_type: str

    def differs(self, other: "SplitSide") -> bool:
        """Whether the judgements differ; a missing type of error is no difference."""
        if self.value != other.value:
            return True
        return bool(self.error_type and other.error_type) and self.error_type != other.error_type


@dataclass(frozen=True)
class Split:
    """A unit on which annotators differ, `segment` and `fact` being primary keys."""

    segment: int
    fact: int | None
    kind: Kind
    sides: tuple[SplitSide, ...]

    def between(self, who: str, other: str) -> bool:
        """Whether these two are on different sides of it; "" is anybody."""
        sides = {side.annotator: side for side in self.sides}
        if {who, other} - {"", *sides}:
            return False
        return not (who and other) or sides[who].differs(sides[other])


def split_units(judgements: ValuesByRater, types: TypesByRater) -> list[Split]:
    """In no order. On a supported unit a type counts for nothing, on an error two different types are a difference."""
    whole, by_facts = scopes(judgements)
    splits = [
        Split(segment, None, Kind.SCOPE, _scope_sides(whole[segment], by_facts[segment] - whole[segment]))
        for segment in whole
        if by_facts.get(segment, set()) - whole[segment]
    ]
    for address, values in judgements.items():
        kind = _kind(values, types.get(address, {}))
        if kind is not None:
            splits.append(Split(*address, kind, _sides(values, types.get(address, {}))))
    return splits


def _kind(values: dict[str, int], types: dict[str, str]) -> Kind | None:
    if len({value == SUPPORTED for value in values.values()}) > 1:
        return Kind.ERROR
    if len(set(values.values())) > 1:
        return Kind.VALUE
    return Kind.TYPE if len(set(types.values())) > 1 else None


def _sides(values: dict[str, int], types: dict[str, str]) -> tuple[SplitSide, ...]:
    return tuple(SplitSide(name, VALUES[value], types.get(name, "")) for name, value in sorted(values.items()))


def _scope_sides(whole: set[str], by_facts: set[str]) -> tuple[SplitSide, ...]:
    return tuple(SplitSide(name, "irrelevant" if name in whole else "", "") for name in sorted(whole | by_facts))
