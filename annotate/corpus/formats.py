"""The formats that can be imported: each its reader, its scheme, and whether prompts are shared between subjects."""

from dataclasses import dataclass

from annotate.corpus import factscore, felm, responses
from annotate.corpus.rows import RowReader
from annotate.models import Import, Scheme


@dataclass(frozen=True)
class Format:
    """The reader of a format.

    scheme: that of the dataset it makes, and of those it may extend.
    needs_subject: the file says nothing of the model that wrote it.
    shares_prompts: responses with the same prompt text belong to one prompt.
    optional: keys that a row may lack. lists: keys whose values are lists.
    """

    read_row: RowReader
    scheme: Scheme
    optional: tuple[str, ...]
    lists: tuple[str, ...]
    needs_subject: bool = False
    shares_prompts: bool = False


FORMATS: dict[str, Format] = {
    Import.Format.FELM.value: Format(felm.read_row, Scheme.FELM, felm.OPTIONAL, felm.LISTS),
    Import.Format.FACTSCORE.value: Format(
        factscore.read_row,
        Scheme.FACTSCORE,
        factscore.OPTIONAL,
        factscore.LISTS,
        needs_subject=True,
        shares_prompts=True,
    ),
    Import.Format.RESPONSES.value: Format(responses.read_row, Scheme.FELM, responses.OPTIONAL, responses.LISTS),
    Import.Format.FOR_FACTS.value: Format(
        responses.read_row_for_facts,
        Scheme.FACTSCORE,
        responses.OPTIONAL_FOR_FACTS,
        responses.LISTS,
        shares_prompts=True,
    ),
}
