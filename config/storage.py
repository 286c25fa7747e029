"""Files that people upload, on the disk."""

from contextlib import suppress

from django.core.files.base import File
from django.core.files.storage import FileSystemStorage


class WholeFileStorage(FileSystemStorage):
    """Takes away again what could not be written whole."""

    def _save(self, name: str, content: "File[bytes]") -> str:
        is_new = not self.exists(name)
        try:
            return super()._save(name, content)  # type: ignore[misc, no-any-return]
        except OSError:
            if is_new:
                with suppress(OSError):
                    self.delete(name)
            raise
