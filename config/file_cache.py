"""Django's cache in files, whose `add` lets only one of several processes win: locks are taken by it."""

import os
import tempfile
from pathlib import Path
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.filebased import FileBasedCache


class FileCache(FileBasedCache):
    """Files in a folder of one machine."""

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: Any = None) -> bool:
        """Store the value unless the key has one; whether it was stored. Django looks first and writes then, and two
        who look at the same time both write."""
        if self.has_key(key, version):
            return False
        files: Any = self  # the stubs leave out what a cache in files is made of
        files._createdir()
        descriptor, aside = tempfile.mkstemp(dir=files._dir)
        try:
            with os.fdopen(descriptor, "wb") as file:
                files._write_content(file, timeout, value)
            os.link(aside, files._key_to_file(key, version))
        except FileExistsError:
            return False
        finally:
            Path(aside).unlink()
        return True
