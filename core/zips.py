"""Zip files that people send in."""

import lzma
import zlib
from zipfile import BadZipFile

# Reading raises these of a file that is broken, cut off, packed in an unknown way or encrypted.
BROKEN_ZIP = (BadZipFile, EOFError, NotImplementedError, RuntimeError, zlib.error, lzma.LZMAError)
