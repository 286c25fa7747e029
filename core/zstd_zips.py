"""Files in zips that are packed by zstd, which the standard library reads from Python 3.14 on."""

import struct
import zlib
from zipfile import BadZipFile, ZipFile, ZipInfo

from core.errors import RowError

ZSTD = 93
# A file's own heading in the zip: its signature, and the lengths of its name and of what follows the name.
HEADING = struct.Struct("<4s22xHH")
HEADING_SIGN = b"PK\x03\x04"


def read_entry(archive: ZipFile, entry: ZipInfo) -> bytes:
    """The unpacked content of a file of `core.zips.opened_zip`. Raises RowError, and BROKEN_ZIP as that does."""
    if entry.compress_type != ZSTD:
        return archive.read(entry)
    return _unpacked(_packed(archive, entry), entry)


def _packed(archive: ZipFile, entry: ZipInfo) -> bytes:
    file = archive.fp
    if file is None:
        raise BadZipFile("it is closed")
    file.seek(entry.header_offset)
    heading = file.read(HEADING.size)
    if len(heading) < HEADING.size or not heading.startswith(HEADING_SIGN):
        raise BadZipFile("a file in it has no heading")
    _, name, more = HEADING.unpack(heading)
    file.seek(name + more, 1)
    return file.read(entry.compress_size)


def _unpacked(packed: bytes, entry: ZipInfo) -> bytes:
    """No more is unpacked than the zip lists."""
    import pyarrow

    try:
        with pyarrow.CompressedInputStream(pyarrow.BufferReader(packed), "zstd") as stream:
            content: bytes = stream.read(entry.file_size + 1)
    except OSError:
        raise RowError(f"{entry.filename} in it is broken") from None
    if len(content) != entry.file_size or zlib.crc32(content) != entry.CRC:
        raise RowError(f"{entry.filename} in it is broken")
    return content
