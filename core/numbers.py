"""Numbers that a page sends."""

# Digits of a number that every database takes.
LONGEST_NUMBER = 18
LARGEST_NUMBER = 2**63 - 1  # in a column of any of the databases


def read_number(sent: str) -> int | None:
    """The text as a number; None where it is none, or has too many digits."""
    return int(sent) if sent.isdecimal() and len(sent) <= LONGEST_NUMBER else None
