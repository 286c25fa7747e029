"""A results bundle from anywhere, read with care: nothing in it is believed before it is checked."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from core.disk import is_full
from core.errors import DataError, RowError
from core.json_limits import MOST_IN_DOCUMENT, count_values, parse_json
from core.json_lines import raw_lines
from core.row_fields import UNSTORABLE
from core.zips import BROKEN_ZIP, opened_zip, unpack
from evaluators.bundle.contents import (
    ALWAYS,
    CALLS,
    FIGURES,
    FORMAT,
    HASHED,
    INDEX,
    MANIFEST,
    NAME,
    PAGES,
    RUN,
    SEARCHES,
    VERSION,
    Gold,
)
from evaluators.bundle.run_lines import hash_lines

LARGEST_DOCUMENTS = 32 * 1024**2  # all of them, which are held in memory
MOST_ASKINGS = 32_767  # of a small whole number in every database


@dataclass(frozen=True)
class PackedRun:
    """A run of the bundle: the unpacked folder, and the hash that is also what its files give. asking: as of a run."""

    folder: Path
    evaluator: str
    hash: str
    asking: int
    manifest: dict[str, Any]


@dataclass(frozen=True)
class Bundle:
    """An unpacked bundle, its hashes checked. fingerprint: that of the dataset it was made over."""

    name: str
    dataset: str
    scheme: str
    fingerprint: str
    gold: Gold
    figures: dict[str, Any]
    runs: tuple[PackedRun, ...]


@contextmanager
def unpacked(path: Path) -> Iterator[Bundle]:
    """The bundle, in a folder of its own as long as it is open.

    DataError names the file and its fault: no zip file, larger than it should be, names that lead
    elsewhere, a version of the format that is not known here, files that are missing or not what the index says.
    """
    with TemporaryDirectory() as folder_name:
        folder = Path(folder_name)
        try:
            _unpack(path, folder)
            yield _read(path.name, folder)
        except _NotABundleError as error:
            raise DataError(f"{path.name}: {error}.") from None


class _NotABundleError(Exception):
    """The fault of the file."""


def _unpack(path: Path, folder: Path) -> None:
    try:
        with opened_zip(path) as (archive, entries):
            _check([entry.filename for entry in entries])
            unpack(archive, entries, folder)
    except FileNotFoundError:
        raise _NotABundleError("there is no such file") from None
    except RowError as error:
        raise _NotABundleError(str(error)) from None
    except BROKEN_ZIP as error:
        raise _NotABundleError(f"it is no whole zip file ({error})") from None
    except OSError as error:
        if is_full(error):
            raise
        raise _NotABundleError(f"it cannot be read: {error.strerror or error}") from None


def _check(names: list[str]) -> None:
    strange = next((name for name in names if not NAME.fullmatch(name)), None)
    if strange is not None:
        raise _NotABundleError(f"a results bundle has no file {strange[:100]!a}")


def _read(name: str, folder: Path) -> Bundle:
    _check_documents(folder)
    index = _read_object(folder, INDEX)
    if index.get("format") != FORMAT or index.get("version") != VERSION:
        raise _NotABundleError(
            f"it is of the format {index.get('format')!a}, version {index.get('version')!a}; "
            f"here {FORMAT!r}, version {VERSION}, is known"
        )
    try:
        dataset, gold = index["dataset"], Gold(**index["gold"])
        runs = tuple(_read_run(folder, run) for run in index["runs"])
        described = (dataset["name"], dataset["scheme"], dataset["fingerprint"])
    except (KeyError, TypeError):
        raise _NotABundleError(f"{INDEX} lacks what it should say") from None
    if not all(isinstance(each, str) for each in (*described, gold.hash)):
        raise _NotABundleError(f"{INDEX} lacks what it should say")
    return Bundle(name, *described, gold, _read_figures(folder), runs)


def _check_documents(folder: Path) -> None:
    """The JSON documents, each of which is small by itself, are not too much together. Lines are read one by one."""
    documents = [path for path in folder.rglob("*.json") if path.name != RUN]
    if sum(path.stat().st_size for path in documents) > LARGEST_DOCUMENTS:
        raise _NotABundleError(f"its documents have more than {LARGEST_DOCUMENTS // 1024**2} MB")
    left = MOST_IN_DOCUMENT
    for path in documents:
        try:
            left -= count_values(path.read_bytes(), left)
        except RowError as error:
            raise _NotABundleError(f"{path.relative_to(folder)} makes {error} in all") from None


def _read_figures(folder: Path) -> dict[str, Any]:
    """A report, so far as that it has evaluators with names."""
    figures = _read_object(folder, FIGURES)
    entries = figures.get("evaluators")
    if not isinstance(entries, list) or not all(
        isinstance(entry, dict) and isinstance(entry.get("evaluator"), str) for entry in entries
    ):
        raise _NotABundleError(f"{FIGURES} is no report")
    return figures


def _read_run(folder: Path, described: dict[str, Any]) -> PackedRun:
    where, evaluator, expected = str(described["folder"]), str(described["evaluator"]), described["hash"]
    for name in ALWAYS:
        if not NAME.fullmatch(f"{where}/{name}") or not (folder / where / name).exists():
            raise _NotABundleError(f"{where[:100]!a} lacks {name}")
    try:
        actual, *others = (_hash(folder / where, names) for names in (HASHED, (CALLS,), (SEARCHES,), (PAGES,)))
    except DataError as error:
        raise _NotABundleError(f"in {where}, {str(error).removesuffix('.')}") from None
    except UnicodeDecodeError:
        raise _NotABundleError(f"what is in {where} is not UTF-8") from None
    if [actual, *others] != [expected, *(described.get(name) for name in ("calls", "searches", "pages"))]:
        raise _NotABundleError(f"what is in {where} is not what its hash says: the file was changed or damaged")
    asking = described.get("asking", 0)
    if not isinstance(asking, int) or not 0 <= asking <= MOST_ASKINGS:
        raise _NotABundleError(f"the asking of {where} is no number of times")
    return PackedRun(folder / where, evaluator, str(actual), asking, _read_object(folder, f"{where}/{MANIFEST}"))


def _hash(folder: Path, names: Sequence[str]) -> str | None:
    """Of the files of these names that are there; None without any."""
    files = {name: path for name in names if (path := folder / name).exists()}
    return hash_lines({name: _lines(path) for name, path in files.items()}) if files else None


def _lines(path: Path) -> Iterator[str]:
    yield from (line.decode("utf-8").removesuffix("\n") for _, line in raw_lines(path))


def _read_object(folder: Path, name: str) -> dict[str, Any]:
    try:
        document = parse_json((folder / name).read_bytes(), MOST_IN_DOCUMENT, parse_constant=_refuse)
        storable = not any(UNSTORABLE.search(text) for text in _texts(document))
    except FileNotFoundError:
        raise _NotABundleError(f"{name} is missing") from None
    except RowError as error:
        raise _NotABundleError(f"{name}: {error}") from None
    except ValueError:
        raise _NotABundleError(f"{name} is not JSON in UTF-8") from None
    if not isinstance(document, dict) or not storable:
        raise _NotABundleError(f"{name} is no object that can be stored")
    return document


def _texts(document: object) -> Iterator[str]:
    """Every text in it, the keys among them."""
    if isinstance(document, str):
        yield document
    elif isinstance(document, dict):
        for key, value in document.items():
            yield key
            yield from _texts(value)
    elif isinstance(document, list):
        for value in document:
            yield from _texts(value)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
