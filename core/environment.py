"""One variable of the environment, or the file that stands in its place."""

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

FILE = "_FILE"


def read_variable(name: str) -> str:
    """The variable without spaces at its ends; "" where it is unset.

    `NAME_FILE` may name a file with its text instead, as secrets of containers are given; the line feed at the file's
    end does not count. The file is read at each call. Raises ImproperlyConfigured where both are set, and where the
    file cannot be read or is empty (docs/deploy.md, Secrets from files).
    """
    text = os.environ.get(name, "").strip()
    path = os.environ.get(f"{name}{FILE}", "").strip()
    if not path:
        return text
    if text:
        raise ImproperlyConfigured(f"{name} and {name}{FILE} are both set: leave one of them out.")
    return _read(f"{name}{FILE}", Path(path))


def _read(called: str, path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ImproperlyConfigured(f"{called} is {path}, which cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise ImproperlyConfigured(f"{called} is {path}, which is no text in UTF-8.") from None
    text = text.removesuffix("\n").removesuffix("\r")
    if not text.strip():
        raise ImproperlyConfigured(f"{called} is {path}, which is empty.")
    return text
