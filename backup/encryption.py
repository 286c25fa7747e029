"""A backup encrypted with a passphrase: a header, then pieces of equal length, each sealed by itself.

The key comes from the passphrase by scrypt (RFC 7914); the pieces are sealed with ChaCha20-Poly1305 (RFC 8439) in the
STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár (2015): the nonce of a piece is its number, and one byte
that tells the last. So no piece can be changed, moved, left out or cut off unseen, and any can be read without those
before it.
"""

import io
import os
import struct
from hmac import compare_digest, digest
from typing import IO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from core.errors import DataError

SIGN = b"touchstone-backup-encrypted-1\n"
SALT_BYTES = 16
# scrypt with n = 2^17, r = 8, p = 1 takes 128 MiB and about half a second a guess.
COST, BLOCK, PARALLEL = 2**17, 8, 1
KEY_BYTES = CHECK_BYTES = 32
PIECE_BYTES = 64 * 1024
TAG_BYTES = 16
SEALED_BYTES = PIECE_BYTES + TAG_BYTES
HEADER_BYTES = len(SIGN) + SALT_BYTES + CHECK_BYTES


class SealingWriter(io.RawIOBase):
    """What is written goes encrypted into `file`. `finish` writes the end, without which the file counts as cut off."""

    def __init__(self, file: IO[bytes], passphrase: str) -> None:
        self._file = file
        salt = os.urandom(SALT_BYTES)
        self._cipher, check = _keys(passphrase, salt)
        self._number = 0
        self._open = bytearray()
        file.write(SIGN + salt + check)

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self._open += data
        # The last piece is sealed otherwise: one is kept until more comes.
        while len(self._open) > PIECE_BYTES:
            self._seal(PIECE_BYTES, last=False)
        return len(data)

    def finish(self) -> None:
        self._seal(len(self._open), last=True)

    def _seal(self, length: int, last: bool) -> None:
        self._file.write(self._cipher.encrypt(_nonce(self._number, last), bytes(self._open[:length]), None))
        del self._open[:length]
        self._number += 1


class OpeningReader(io.RawIOBase):
    """The content of an encrypted file, from any place. Raises DataError, a clause, where the passphrase is not that of
    the file, and where the file is cut off or changed: the end at once, another piece when it is read."""

    def __init__(self, file: IO[bytes], passphrase: str) -> None:
        self._file = file
        sealed = file.seek(0, os.SEEK_END) - HEADER_BYTES
        if sealed < TAG_BYTES:
            raise DataError("it is cut off")
        file.seek(len(SIGN))
        salt, check = file.read(SALT_BYTES), file.read(CHECK_BYTES)
        self._cipher, expected = _keys(passphrase, salt)
        if not compare_digest(check, expected):
            raise DataError("the passphrase is not that of the file, or its beginning is changed")
        self._last = (sealed - 1) // SEALED_BYTES
        self._size = sealed - (self._last + 1) * TAG_BYTES
        self._place = 0
        self._number, self._piece = -1, b""
        self._open(self._last)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._place, os.SEEK_END: self._size}[whence]
        self._place = max(0, start + offset)
        return self._place

    def tell(self) -> int:
        return self._place

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        if self._place >= self._size:
            return 0
        number, start = divmod(self._place, PIECE_BYTES)
        self._open(number)
        part = self._piece[start : start + len(buffer)]
        buffer[: len(part)] = part
        self._place += len(part)
        return len(part)

    def _open(self, number: int) -> None:
        if number == self._number:
            return
        self._file.seek(HEADER_BYTES + number * SEALED_BYTES)
        sealed = self._file.read(SEALED_BYTES)
        try:
            self._piece = self._cipher.decrypt(_nonce(number, number == self._last), sealed, None)
        except InvalidTag:
            raise DataError("it is cut off, or changed") from None
        self._number = number


def is_encrypted(file: IO[bytes]) -> bool:
    file.seek(0)
    sign = file.read(len(SIGN))
    file.seek(0)
    return sign == SIGN


def _keys(passphrase: str, salt: bytes) -> tuple[ChaCha20Poly1305, bytes]:
    """The cipher, and what tells whether a passphrase is that of the file."""
    keys = Scrypt(salt=salt, length=2 * KEY_BYTES, n=COST, r=BLOCK, p=PARALLEL).derive(passphrase.encode())
    return ChaCha20Poly1305(keys[:KEY_BYTES]), digest(keys[KEY_BYTES:], SIGN + salt, "sha256")


def _nonce(number: int, last: bool) -> bytes:
    return struct.pack(">3xQB", number, last)
