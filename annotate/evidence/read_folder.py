"""Documents as files: plain text, HTML and PDF, one by itself or a folder of them."""

from collections.abc import Iterator
from pathlib import Path

from annotate.evidence.rows import DocumentRow, at_place
from core.errors import DataError
from knowledge.documents import LONGEST_KEY
from knowledge.fetching.errors import FetchError
from knowledge.fetching.fetch import Fetched
from knowledge.fetching.page import PageContent
from knowledge.fetching.read import read, read_body
from knowledge.titles import LONGEST_TITLE

PLAIN = "text/plain"
KINDS = {
    ".txt": PLAIN,
    ".text": PLAIN,
    ".md": PLAIN,
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".pdf": "application/pdf",
}
LARGEST_FILE = 100 * 1024 * 1024
# The longest time that reading one file may take.
SECONDS = 60


def read_folder(folder: Path) -> Iterator[DocumentRow]:
    """Its files and those of its folders by name; hidden ones are passed over. A document's key is its path there.

    The title is what the file calls itself, else its name. DataError: there is no file, or one that cannot be read.
    """
    has_files = False
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if path.is_dir() or any(part.startswith(".") for part in inside.parts):
            continue
        has_files = True
        yield _read_document(path, folder.name, inside.as_posix())
    if not has_files:
        raise DataError(f"{folder.name}: the folder has no file.")


def read_document(path: Path) -> Iterator[DocumentRow]:
    """The one document that the file is."""
    yield _read_document(path, path.name, path.name)


def _read_document(path: Path, file: str, key: str) -> DocumentRow:
    if path.suffix.lower() not in KINDS:
        raise at_place(file, key, f"of documents only these kinds are read: {', '.join(KINDS)}")
    if len(key) > LONGEST_KEY:
        raise at_place(file, key[:80], f"its name has {len(key)} characters; at most {LONGEST_KEY} fit")
    try:
        page = _read_page(path)
    except FetchError as error:
        raise at_place(file, key, error) from None
    except OSError as error:
        raise at_place(file, key, f"it cannot be read: {error.strerror}") from None
    title = page.title if page.title and len(page.title) <= LONGEST_TITLE else path.stem.replace("_", " ")
    return DocumentRow(key, key, title, "", page.text)


def _read_page(path: Path) -> PageContent:
    if path.stat().st_size > LARGEST_FILE:
        raise FetchError(f"The file has more than {LARGEST_FILE // 1024**2} MB.")
    kind, body = KINDS[path.suffix.lower()], path.read_bytes()
    # Only what can make its reader choke is read in a process of its own.
    return read_body(kind, None, body) if kind == PLAIN else read(Fetched("", kind, None, body), SECONDS)
