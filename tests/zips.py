"""Zip files that are damaged."""

import io
from zipfile import ZipFile

HEADER = 30  # bytes of an entry before its name


def damaged_zip(name: str, method: int) -> bytes:
    """A zip with one entry, packed by this method of zipfile, whose packed bytes are not what they were."""
    packed = io.BytesIO()
    with ZipFile(packed, "w", method) as archive:
        archive.writestr(name, "".join(f"Is statement {number} true? " for number in range(500)))
        size = archive.infolist()[0].compress_size
    content, start = bytearray(packed.getvalue()), HEADER + len(name)
    content[start : start + size] = bytes(byte ^ 0xFF for byte in content[start : start + size])
    return bytes(content)
