"""A draw of entities from a file, as prompts that can be collected."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from annotate.models import Dataset
from annotate.prompts.biography import biography_prompt
from annotate.prompts.labelled import labelled_topics
from annotate.prompts.read_entities import read_entities
from annotate.prompts.sample_entities import (
    FREQUENCIES,
    REGIONS,
    Cell,
    Entity,
    TooFewError,
    name_key,
    sample_entities,
    without,
)
from core.errors import DataError


@dataclass(frozen=True)
class Draw:
    """The entities drawn, in the order of their cells; `left_out`: those of the file that have responses already;
    `there`: how many of each cell there were to draw from."""

    drawn: list[Entity]
    left_out: list[Entity]
    there: Counter[Cell]

    @property
    def table(self) -> list[tuple[str, list[tuple[int, int]]]]:
        """For each class of frequency its name, and of each region how many were drawn of how many."""
        drawn = Counter(entity.cell for entity in self.drawn)
        return [
            (name, [(drawn[name, region], self.there[name, region]) for region in REGIONS]) for name, _ in FREQUENCIES
        ]


def draw_entities(path: Path, size: int, seed: int, apart_from: Iterable[Dataset]) -> Draw:
    """`size` entities of the file (read_entities), uniformly over the cells, none that `apart_from` has responses on:
    labelled topics must not be asked about again (FActScore §4.3.1). Raises DataError."""
    labelled = labelled_topics(apart_from)
    entities = read_entities(path)
    free = without(entities, labelled)
    left_out = [entity for entity in entities if name_key(entity.name) in labelled]
    try:
        drawn = sample_entities(free, size, seed)
    except TooFewError as error:
        apart = f"; {len(left_out)} of the file have responses already" if left_out else ""
        raise DataError(f"{path.name}: {error}{apart}.") from None
    return Draw(drawn, left_out, Counter(entity.cell for entity in free))


def prompt_row(entity: Entity) -> dict[str, str]:
    """The entity as a row that import_prompts reads."""
    return {
        "prompt": biography_prompt(entity.name),
        "topic": entity.name,
        "frequency": entity.frequency,
        "nationality": entity.region,
    }
