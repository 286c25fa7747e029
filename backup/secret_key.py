"""The SECRET_KEY of a site that keeps it in DATA_DIR: a development checkout, or a desk."""

import os
import tempfile
from pathlib import Path

from django.conf import settings
from django.utils.crypto import salted_hmac


def key_file() -> Path:
    return Path(settings.DATA_DIR) / "secret_key"


def is_stored() -> bool:
    """Whether the file in DATA_DIR holds the site's key; else it comes from the environment."""
    return key_file().exists() and key_file().read_text("utf-8").strip() == settings.SECRET_KEY


def replace_key(key: str) -> None:
    """Processes that are started from now on have this key."""
    descriptor, aside = tempfile.mkstemp(prefix=".secret_key.", dir=settings.DATA_DIR)  # for its owner alone (0600)
    with os.fdopen(descriptor, "w") as file:
        file.write(key)
        file.flush()
        os.fsync(file.fileno())
    Path(aside).replace(key_file())


def key_fingerprint() -> str:
    """Tells whether two sites have one SECRET_KEY, and nothing else of it."""
    return salted_hmac("backup.key", "fingerprint", algorithm="sha256").hexdigest()
