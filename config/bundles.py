"""Files of a page served as one: a browser that knows none of them yet asks once, and the page names one.

They are joined when they are asked for (in a checkout) or collected (in production): there is no build step. Why the
workbench does not load its scripts one by one: CONTRIBUTING.md, "Speed".
"""

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage


class BundleFinder(BaseFinder):
    """Finds those of settings.BUNDLES (their parts by their path) beside the files of STATICFILES_DIRS."""

    storage = FileSystemStorage(location=settings.DATA_DIR / "bundles")

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        if path not in settings.BUNDLES:
            return []
        joined = str(self._join(path))
        return [joined] if find_all else joined

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[Any]:
        for path in settings.BUNDLES:
            self._join(path)
            yield path, self.storage

    def _join(self, path: str) -> Path:
        """Where it is, as its parts are by now."""
        parts = [
            Path(settings.STATICFILES_DIRS[0], part).read_text(encoding="utf-8") for part in settings.BUNDLES[path]
        ]
        joined = Path(self.storage.path(path))
        text = _as_function(joined.stem, parts) if joined.suffix == ".js" else "\n".join(parts)
        if not joined.exists() or joined.read_text(encoding="utf-8") != text:
            joined.parent.mkdir(parents=True, exist_ok=True)
            _put(joined, text)
        return joined


def _as_function(name: str, parts: Iterable[str]) -> str:
    """Scripts as one, named as the file is and called at its end: called again, all of it begins anew."""
    return "\n".join([f"const {name} = () => {{", *parts, "};", f"{name}();", ""])


def _put(target: Path, text: str) -> None:
    """All of it or nothing: another process may be serving it."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=target.parent, delete=False) as file:
        file.write(text)
    Path(file.name).replace(target)
