"""The guidelines on an annotator's page: a page names the version that it shows, and labels keep that one."""

from annotate.labels.form import FormError
from annotate.models import Assignment, Guideline


def newest_version(own: Assignment) -> int:
    """Of the guidelines of a dataset whose assignment was fetched for its annotator; 0 without any."""
    return vars(own)["newest_guideline"] or 0


def check_version(own: Assignment, version: int | None) -> None:
    """Raises FormError for a version that does not exist."""
    if version is not None and version > newest_version(own):
        raise FormError("The page names guidelines that this dataset does not have")


def is_outdated(own: Assignment, newest: Guideline | None) -> bool:
    """Whether the guidelines changed since the draft was saved."""
    seen = own.guideline_version
    return bool(own.draft) and seen is not None and newest is not None and seen < newest.version
