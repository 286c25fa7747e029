"""What a file is, where nobody has said: a format, a data set that a recipe of the project reads, or neither."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from annotate.corpus.checking import FormatReader
from annotate.corpus.find_recipe import shipped_recipes
from annotate.corpus.formats import FORMATS, Format, mapped_format
from annotate.corpus.recipe import Recipe
from annotate.models import Dataset, Import
from core.errors import DataError, RowError

# Responses of the file that are looked at. One that cannot be taken does not hide what the others are.
LOOKED_AT = 50
# Before the formats of published files: these hold files of one's own too, where nothing is labelled.
FIRST = (Import.Format.RESPONSES.value, Import.Format.FOR_FACTS.value)


def recognise(path: Path, dataset_name: str, subject: str) -> tuple[str, Recipe | None]:
    """The format, with the recipe where it is one of the project's, by which most of the first responses are read and
    which fits to the dataset of that name; the mapped format without a recipe where there is none."""
    there = Dataset.objects.filter(name=dataset_name).first()
    best: tuple[str, Recipe | None] = (Import.Format.MAPPED.value, None)
    most = 0
    for name, recipe, format in _candidates():
        if there is not None and there.scheme != format.scheme:
            continue
        read, seen = _count_read(path, format, subject)
        if read > most and 2 * read > seen:
            best, most = (name, recipe), read
    return best


def _candidates() -> Iterator[tuple[str, Recipe | None, Format]]:
    for name in dict.fromkeys([*FIRST, *FORMATS]):
        yield name, None, FORMATS[name]
    for recipe in shipped_recipes().values():
        yield Import.Format.MAPPED.value, recipe, mapped_format(recipe)


def _count_read(path: Path, format: Format, subject: str) -> tuple[int, int]:
    """How many of the first responses are sound, and how many there are."""
    try:
        rows = [row for _, row in islice(FormatReader(path, format, subject or "-"), LOOKED_AT)]
    except DataError:
        return 0, 0
    return sum(not isinstance(row, RowError) for row in rows), len(rows)
