"""Views that take in files. The body of every other request is a form or a draft, which is small (config/bodies.py)."""

from collections.abc import Callable
from typing import Any, TypeVar

View = TypeVar("View", bound=Callable[..., Any])


def takes_uploads(view: View) -> View:
    """The view may be sent files of UPLOAD_LIMIT_BYTES in all."""
    view.takes_uploads = True  # type: ignore[attr-defined]
    return view
