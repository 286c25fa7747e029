"""Where suggestions come from: the room of evaluators, which this room cannot import, registers itself here."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

from annotate.models import Dataset, Task


@dataclass(frozen=True)
class Suggestion:
    """What a run says of a unit; `reason` is "" where it gave none."""

    value: str
    reason: str = ""


class SuggestionSource(ABC):
    """The runs of a dataset and what they say."""

    @abstractmethod
    def runs(self, dataset: Dataset) -> list[tuple[int, str]]:
        """The number and the name of each run that can be chosen, the newest first."""

    @abstractmethod
    def names(self, runs: set[int]) -> dict[int, str]:
        """By number; a run that was deleted has none."""

    @abstractmethod
    def of_task(self, run: int, task: Task) -> dict[str, Suggestion]:
        """By the keys of the units in a draft; what the run did not judge is left out."""


_registered: list[SuggestionSource] = []


def register(source: SuggestionSource) -> None:
    _registered.append(source)


def source() -> SuggestionSource:
    return _registered[-1]
