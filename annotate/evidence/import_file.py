"""Documents into a knowledge source: checked whole, then written in short transactions."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from annotate.evidence.checked import CheckedDocuments, Standing
from annotate.evidence.read_dump import read_dump
from annotate.evidence.read_folder import KINDS, read_document, read_folder
from annotate.evidence.read_lines import read_lines
from annotate.evidence.rows import DocumentRow, at_place
from annotate.evidence.source import check_extends, claim_source
from annotate.evidence.tokenizers import AS_PUBLISHED, DEFAULT, TOKENIZERS
from annotate.evidence.topic_pages import TopicPages, Wanted
from annotate.models import Dataset
from core.errors import DataError, RowError, describe
from core.row_fields import UNSTORABLE
from jobs.leases import renewing
from knowledge.documents import NewDocument, contents
from knowledge.models import Document, KnowledgeSource, Redirect
from knowledge.passages import Span
from knowledge.titles import title_key
from knowledge.writing import DocumentWriter, SourceBusyError, writing_into

# The size of one transaction: so many documents, or fewer once they have so many characters.
CHUNK = 100
CHUNK_CHARACTERS = 1_000_000
LONGEST_NAME = 100

# Pages that are checked between two signs of life.
CHECKED = 1000
DUMPS = (".db", ".sqlite", ".sqlite3")

# Reads the rows to take in; called more than once, so that none need be held.
Reader = Callable[[], Iterator[DocumentRow]]
# Called with (written, to write) after every chunk; to write is 0 while the file is checked.
Progress = Callable[[int, int], object]


class SourceUnderWayError(DataError):
    """Another import has the source."""


@dataclass(frozen=True)
class ImportedDocuments:
    """Rows that became documents, that were there already, and that have no text and are left out; `dated`: of those
    that were there so many got another date, or their first."""

    source: KnowledgeSource
    created: int
    unchanged: int
    blank: int
    dated: int


def import_documents(
    path: Path,
    source_name: str,
    progress: Progress | None = None,
    tokenizer: str | None = None,
    dataset: Dataset | None = None,
    topics: Sequence[str] | None = None,
) -> ImportedDocuments:
    """Make the knowledge source, or extend it, from the path. `dataset`: the one that the source belongs to; None: a
    new source is shared, and any source is extended. `topics`: only the pages of these are taken (topic_pages.py).

    That is a folder of files (read_folder.py), one such file, a dump in SQLite (read_dump.py) or JSON lines
    (read_lines.py). A row that is there already with the same content is unchanged, but for its
    date: that is no content, and the file's stands, where it has one. `tokenizer` names how documents are
    cut (tokenizers.py); None: as those that are there, in a new source by whole sentences.
    DataError: one sentence that names file, place and cause, for a row that is not sound, or whose key is there with
    other content; nothing of the file is then kept. SourceUnderWayError: another import has the source.
    """
    _check_name(source_name)
    if dataset is not None:
        check_extends(dataset, source_name)
    report = progress or (lambda written, total: None)
    tokenizer = _check_tokenizer(source_name, tokenizer)
    read = _reader(path, topics, report)
    with closing(CheckedDocuments()) as checked:
        _check_rows(path, read, checked, tokenizer, report)
        if topics is not None and not checked.rows:
            raise DataError(f"{path.name}: it has no page of any of the {len(topics)} topics.")
        if dataset is not None:
            claim_source(dataset, source_name)
        try:
            with writing_into(source_name, tokenizer) as writer, renewing(lambda: _keep(writer)):
                new = _compare(path, read, checked, writer.source)
                writer.on_beat = lambda: report(writer.written, new)
                for chunk in _chunks(_documents(path, read, checked, tokenizer)):
                    writer.write(chunk)
                    report(writer.written, new)
                dated = _date_anew(writer.source, checked)
                if topics is not None:
                    _name_anew(writer.source, read)
        except SourceBusyError as error:
            raise SourceUnderWayError(f"{path.name}: {error}.") from None
        return ImportedDocuments(writer.source, new, checked.rows - new, checked.blank, dated)


def _keep(writer: DocumentWriter) -> None:
    """Keep the source while a document is read and cut: one alone may take long. Where it is lost, the next chunk says
    so."""
    with suppress(SourceBusyError):
        writer.beat()


def read_rows(path: Path) -> Iterator[DocumentRow]:
    if path.is_dir():
        return read_folder(path)
    if path.suffix.lower() in DUMPS and path.is_file():
        return read_dump(path)
    if path.suffix.lower() in KINDS and path.is_file():
        return read_document(path)
    return read_lines(path)


def _reader(path: Path, topics: Sequence[str] | None, report: Progress) -> Reader:
    if topics is None:
        return partial(read_rows, path)
    if path.suffix.lower() in DUMPS and path.is_file():
        return TopicPages(path, topics, lambda: report(0, 0)).rows
    wanted = Wanted(topics)
    return lambda: filter(wanted.holds, read_rows(path))


def _check_name(name: str) -> None:
    if not name.strip() or name != name.strip() or len(name) > LONGEST_NAME or UNSTORABLE.search(name):
        raise DataError(
            f"A knowledge source's name must be plain text of 1 to {LONGEST_NAME} characters, without white space at "
            "its ends."
        )


def _check_tokenizer(source_name: str, tokenizer: str | None) -> str:
    """The name of the tokenizer to use. One source is cut in one way, or its passages could not be compared."""
    source = KnowledgeSource.objects.visible().filter(name=source_name).first()
    if source is not None and tokenizer not in (None, source.tokenizer):
        raise DataError(f"{source_name} is cut by the tokenizer {source.tokenizer}, not by {tokenizer}.")
    chosen = source.tokenizer if source is not None else tokenizer or DEFAULT
    if chosen not in (*TOKENIZERS, AS_PUBLISHED):
        raise DataError(f"there is no tokenizer {chosen!r}; there are {', '.join((*TOKENIZERS, AS_PUBLISHED))}.")
    return chosen


def _check_rows(path: Path, read: Reader, checked: CheckedDocuments, tokenizer: str, report: Progress) -> None:
    """Read everything; of each row only the key, the hash and the date are kept."""
    for number, row in enumerate(read(), start=1):
        if number % CHECKED == 0:
            report(0, 0)
        if not row.text.strip():
            checked.blank += 1
            continue
        if tokenizer == AS_PUBLISHED and row.cuts is None:
            raise at_place(path.name, row.place, "it brings no passages: choose another tokenizer than published")
        try:
            checked.add(row)
        except RowError as error:
            raise at_place(path.name, row.place, error) from None


def _compare(path: Path, read: Reader, checked: CheckedDocuments, source: KnowledgeSource) -> int:
    """How many documents the source does not have yet. DataError: it has one with other content."""
    checked.compare(contents(source))
    if checked.number(Standing.CHANGED):
        row = next(row for row in read() if checked.standing_of(row) is Standing.CHANGED)
        raise at_place(path.name, row.place, f"{describe(row.key)} is already in the source with other content")
    return checked.number(Standing.NEW)


def _documents(path: Path, read: Reader, checked: CheckedDocuments, tokenizer: str) -> Iterator[NewDocument]:
    """The new rows, cut into passages; read from the file again, so that none need be held."""
    for row in read():
        if not row.text.strip():
            continue
        standing = checked.standing_of(row)
        if standing is None:
            raise at_place(path.name, row.place, "the file changed while it was read")
        if standing is Standing.NEW:
            checked.note_written(row.key)
            passages = _passages(path, row, tokenizer)
            yield NewDocument(row.key, row.title, row.url, row.text, passages, row.redirects, row.published)
    if checked.number(Standing.NEW):
        raise DataError(f"{path.name}: the file changed while it was read.")


def _date_anew(source: KnowledgeSource, checked: CheckedDocuments) -> int:
    """Give the documents that are there the dates that the file says; how many had another, or none."""
    if not checked.dated:
        return 0
    there, dated, last = Document.objects.visible().filter(source=source).order_by("pk"), 0, 0
    while some := list(there.filter(pk__gt=last).only("key", "published")[:CHECKED]):
        changed = []
        for document in some:
            published = checked.date_of(document.key)
            if published and published != document.published:
                document.published = published
                changed.append(document)
        Document.objects.bulk_update(changed, ["published"], batch_size=CHUNK)
        dated, last = dated + len(changed), some[-1].pk
    return dated


def _name_anew(source: KnowledgeSource, read: Reader) -> None:
    """Give the documents that are there the names that other topics bring."""
    for row in read():
        names = {title_key(name): name for name in row.redirects}
        there = Document.objects.filter(source=source, key=row.key).first() if names else None
        if there is not None:
            for key, name in names.items():
                Redirect.objects.get_or_create(
                    source=source, name_key=key, document=there, by_hand=False, defaults={"name": name}
                )


def _passages(path: Path, row: DocumentRow, tokenizer: str) -> tuple[Span, ...]:
    if tokenizer == AS_PUBLISHED:
        return row.cuts or ()
    try:
        return tuple(TOKENIZERS[tokenizer](row.text))
    except TimeoutError:
        # NLTK gives up after some seconds.
        cause = "it is too long to be cut at its sentences: divide it, or choose the tokenizer words"
        raise at_place(path.name, row.place, cause) from None


def _chunks(documents: Iterable[NewDocument]) -> Iterator[list[NewDocument]]:
    chunk: list[NewDocument] = []
    characters = 0
    for document in documents:
        chunk.append(document)
        characters += len(document.text)
        if len(chunk) == CHUNK or characters >= CHUNK_CHARACTERS:
            yield chunk
            chunk, characters = [], 0
    if chunk:
        yield chunk
