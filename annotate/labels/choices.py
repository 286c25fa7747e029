"""The values of a unit as buttons."""

from dataclasses import dataclass

from annotate.models import Scheme, Value


@dataclass(frozen=True)
class ValueChoice:
    """A value as a button: its letter, its word, and the key that chooses it."""

    value: str
    letter: str
    title: str
    digit: int


SUPPORTED = ValueChoice(Value.SUPPORTED, "S", "Supported", 1)
ERROR = ValueChoice(Value.NOT_SUPPORTED, "E", "Error", 2)
NOT_SUPPORTED = ValueChoice(Value.NOT_SUPPORTED, "N", "Not supported", 2)
IRRELEVANT = ValueChoice(Value.IRRELEVANT, "I", "Irrelevant", 3)
NOT_ENOUGH = ValueChoice(Value.NOT_ENOUGH_EVIDENCE, "?", "Not enough evidence", 4)


def choices_of(scheme: str) -> tuple[ValueChoice, ...]:
    error = ERROR if scheme == Scheme.FELM else NOT_SUPPORTED
    return (SUPPORTED, error, IRRELEVANT, *((NOT_ENOUGH,) if scheme == Scheme.CLAIMS else ()))
