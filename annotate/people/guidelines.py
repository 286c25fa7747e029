"""A dataset's guidelines: a change makes a new version, and labels keep the version they were made under."""

from django.db import transaction

from annotate.models import Dataset, Guideline


class GuidelineError(ValueError):
    """The text cannot become a version; the message says why."""


@transaction.atomic
def save_guidelines(dataset: Dataset, text: str) -> Guideline:
    """The next version. Raises GuidelineError for an empty text and for the very text that is in force."""
    Dataset.objects.select_for_update().get(pk=dataset.pk)
    current = dataset.guidelines.first()
    text = text.replace("\r\n", "\n").strip()
    if not text:
        raise GuidelineError("guidelines need a text")
    if current is not None and text == current.text:
        raise GuidelineError(f"this is the text of version {current.version} already")
    return dataset.guidelines.create(version=current.version + 1 if current else 1, text=text)
