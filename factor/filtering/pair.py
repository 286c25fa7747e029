"""What is held against each other: an original sentence and a candidate, in the same context."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SentencePair:
    """near: what stands directly before both, up to and with the white space between (near.py)."""

    near: str
    original: str
    candidate: str

    @property
    def premise(self) -> str:
        return self.near + self.original

    @property
    def hypothesis(self) -> str:
        return self.near + self.candidate
