"""Views that take in files. The body of every other request is a form or a draft, which is small (config/bodies.py)."""

from collections.abc import Callable
from typing import Any, TypeVar

View = TypeVar("View", bound=Callable[..., Any])


def takes_uploads(view: View) -> View:
    """The view may be sent files of UPLOAD_LIMIT_BYTES in all."""
    view.takes_uploads = True  # type: ignore[attr-defined]
    return view


def takes_uploads_from(knows: Callable[[Any], bool]) -> Callable[[View], View]:
    """The view may be sent such files by whom it knows without a log-in, by the request's address: its body is not
    read yet."""

    def mark(view: View) -> View:
        view.knows_sender = knows  # type: ignore[attr-defined]
        return takes_uploads(view)

    return mark
