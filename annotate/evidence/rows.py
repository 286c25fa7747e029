"""A document as a file has it, whatever the file's kind, and where it stands there."""

from dataclasses import dataclass
from datetime import date

from core.errors import DataError
from knowledge.documents import content_hash
from knowledge.passages import Span


@dataclass(frozen=True)
class DocumentRow:
    """`place` says where in the file it stands, for messages: "line 7", "page 'Tim Fischer'", "letters/first.pdf".

    cuts: the passages that the file itself brings; None where it brings none. published: None where it says no date.
    """

    place: str
    key: str
    title: str
    url: str
    text: str
    redirects: tuple[str, ...] = ()
    cuts: tuple[Span, ...] | None = None
    published: date | None = None

    @property
    def content(self) -> bytes:
        """SHA-256 of what makes the document the same as another, 32 bytes."""
        return bytes.fromhex(content_hash(self.title, self.url, self.text))


def at_place(file: str, place: str, cause: object) -> DataError:
    return DataError(f"{file}, {place}: {cause}")
