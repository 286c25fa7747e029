"""The licence that a release names."""

from core.errors import DataError

LONGEST_LICENCE = 100


def check_licence(licence: str) -> str:
    """A licence as it will be named, such as CC-BY-4.0; "" where none is. DataError: it is no plain short text."""
    licence = licence.strip()
    if len(licence) > LONGEST_LICENCE or not licence.isprintable():
        raise DataError(f"A licence is one line of at most {LONGEST_LICENCE} characters.")
    return licence
