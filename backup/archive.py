"""The archive: a zip with a file of JSON lines for each table, the uploaded files, and a manifest with their hashes.
Where a passphrase is given it is encrypted as a whole, and then holds the file of the SECRET_KEY too."""

import hashlib
import io
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import IO, Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from backup.encryption import PIECE_BYTES, OpeningReader, SealingWriter, is_encrypted
from core.errors import DataError
from core.zips import BROKEN_ZIP

FORMAT = 1
MANIFEST = "manifest.json"
KEY = "secret_key"
FILES = "files/"
PIECE = 1024**2


@dataclass
class Manifest:
    """What an archive holds.

    migrations: those applied to its database. key: a fingerprint of the SECRET_KEY. columns: names by table.
    sha256: by the path in the archive. missing: files that rows name and that the storage did not have.
    """

    version: str
    made_at: str
    key: str
    migrations: list[str]
    format: int = FORMAT
    columns: dict[str, list[str]] = field(default_factory=dict)
    sha256: dict[str, str] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)


def add_entry(archive: ZipFile, manifest: Manifest, name: str, pieces: Iterable[bytes]) -> None:
    """Write an entry piece by piece, and its hash into the manifest."""
    digest = hashlib.sha256()
    with archive.open(name, "w", force_zip64=True) as entry:
        for piece in pieces:
            digest.update(piece)
            entry.write(piece)
    manifest.sha256[name] = digest.hexdigest()


def add_manifest(archive: ZipFile, manifest: Manifest) -> None:
    archive.writestr(MANIFEST, json.dumps(asdict(manifest), indent=1), ZIP_DEFLATED)


def read_manifest(archive: ZipFile) -> Manifest:
    """Raises DataError for what is no backup, or one of a later format."""
    try:
        content: dict[str, Any] = json.loads(archive.read(MANIFEST))
        found = content["format"]
        if found == FORMAT:
            return Manifest(**content)
    except (KeyError, TypeError, ValueError, *BROKEN_ZIP):
        raise DataError("it is no backup of Touchstone") from None
    raise DataError(f"its format is {found}, and this version reads {FORMAT}: install version {content['version']}")


def check_entries(archive: ZipFile, manifest: Manifest) -> None:
    """Read every entry and compare its hash. Raises DataError."""
    if set(archive.namelist()) != {MANIFEST, *manifest.sha256}:
        raise DataError("its entries are not those of its manifest")
    for name, expected in manifest.sha256.items():
        try:
            with archive.open(name) as entry:
                found = hash_of(entry)
        except BROKEN_ZIP:
            raise DataError(f"{name} in it is broken") from None
        if found != expected:
            raise DataError(f"{name} in it is not what was backed up (SHA-256)")


def hash_of(file: IO[bytes]) -> str:
    digest = hashlib.sha256()
    for piece in pieces_of(file):
        digest.update(piece)
    return digest.hexdigest()


def pieces_of(file: IO[bytes]) -> Iterator[bytes]:
    while piece := file.read(PIECE):
        yield piece


@contextmanager
def new_archive(file: IO[bytes], passphrase: str) -> Iterator[ZipFile]:
    """passphrase: "" for an archive that is not encrypted."""
    if not passphrase:
        with ZipFile(file, "w", ZIP_DEFLATED) as archive:
            yield archive
        return
    writer = SealingWriter(file, passphrase)
    with ZipFile(writer, "w", ZIP_DEFLATED) as archive:
        yield archive
    writer.finish()


def open_archive(file: IO[bytes], passphrase: str) -> ZipFile:
    if is_encrypted(file):
        if not passphrase:
            raise DataError("it is encrypted: name the file of its passphrase (--passphrase-file)")
        file = io.BufferedReader(OpeningReader(file, passphrase), PIECE_BYTES)
    try:
        return ZipFile(file)
    except BadZipFile:
        raise DataError("it is no backup of Touchstone, or cut off") from None
