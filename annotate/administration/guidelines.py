"""A dataset's guidelines: a change makes a new version, and labels keep the version they were made under."""

from django.db import transaction

from annotate.models import Dataset, Guideline


class GuidelineError(ValueError):
    """The text cannot become a version; the message says why. Nothing was changed."""


class StaleGuidelineError(GuidelineError):
    """Somebody made a newer version than the one that the text was written from."""

    def __init__(self, newer: Guideline) -> None:
        super().__init__(
            f"version {newer.version} was made meanwhile. It is open beside your text, which is kept: take over what "
            "you want of it, and save again"
        )


@transaction.atomic
def save_guidelines(dataset: Dataset, text: str, since: int) -> Guideline:
    """The next version. `since`: the version that the text was written from, 0 where there was none.

    Raises StaleGuidelineError if another one is in force, GuidelineError for an empty text and for the text in force.
    """
    Dataset.objects.select_for_update().get(pk=dataset.pk)
    current = dataset.guidelines.first()
    text = text.replace("\r\n", "\n").strip()
    if not text:
        raise GuidelineError("guidelines need a text")
    if current is not None and text == current.text:
        raise GuidelineError(f"this is the text of version {current.version} already")
    if current is not None and current.version != since:
        raise StaleGuidelineError(current)
    return dataset.guidelines.create(version=current.version + 1 if current else 1, text=text)
