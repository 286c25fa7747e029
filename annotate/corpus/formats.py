"""The formats that can be imported: each its reader, its scheme, and whether prompts are shared between subjects."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from annotate.corpus import claims, factscore, felm, responses
from annotate.corpus.mapping import map_rows
from annotate.corpus.recipe import Recipe
from annotate.corpus.rows import ReadRow, RowReader, RowsReader, SourceRow
from annotate.models import Import, Scheme
from core.errors import RowError


@dataclass(frozen=True)
class Format:
    """The reader of a format.

    read_rows: the responses of a file's rows. recipe: where a recipe says how they are read, else None.
    scheme: that of the dataset it makes, and of those it may extend.
    needs_subject: the file says nothing of the model that wrote it.
    shares_prompts: responses with the same prompt text belong to one prompt.
    optional: keys that a row may lack. lists: keys whose values are lists.
    """

    read_rows: RowsReader
    scheme: Scheme
    optional: tuple[str, ...]
    lists: tuple[str, ...]
    needs_subject: bool = False
    shares_prompts: bool = False
    recipe: Recipe | None = None


def one_by_one(read_row: RowReader) -> RowsReader:
    """Every row is a response."""

    def read_rows(rows: Iterator[SourceRow], subject: str) -> Iterator[ReadRow]:
        for number, row in rows:
            try:
                yield number, row if isinstance(row, RowError) else read_row(row, subject)
            except RowError as error:
                yield number, error

    return read_rows


FORMATS: dict[str, Format] = {
    Import.Format.FELM.value: Format(one_by_one(felm.read_row), Scheme.FELM, felm.OPTIONAL, felm.LISTS),
    Import.Format.FACTSCORE.value: Format(
        one_by_one(factscore.read_row),
        Scheme.FACTSCORE,
        factscore.OPTIONAL,
        factscore.LISTS,
        needs_subject=True,
        shares_prompts=True,
    ),
    Import.Format.RESPONSES.value: Format(responses.read_rows, Scheme.FELM, responses.OPTIONAL, responses.LISTS),
    Import.Format.FOR_FACTS.value: Format(
        one_by_one(responses.read_row_for_facts),
        Scheme.FACTSCORE,
        responses.OPTIONAL_FOR_FACTS,
        responses.LISTS,
        shares_prompts=True,
    ),
    Import.Format.CLAIMS.value: Format(one_by_one(claims.read_row), Scheme.CLAIMS, claims.OPTIONAL, claims.LISTS),
}


def mapped_format(recipe: Recipe) -> Format:
    """The format of files that a recipe reads."""
    return Format(
        partial(map_rows, recipe),
        recipe.scheme,
        optional=(),
        lists=recipe.lists,
        shares_prompts=recipe.scheme == Scheme.FACTSCORE,
        recipe=recipe,
    )
