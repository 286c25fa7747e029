"""A dataset's guidelines: a change makes a new version, and labels keep the version they were made under."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest

from django.db import transaction

from annotate.judgements.word_diff import DiffPiece, word_diff
from annotate.models import Dataset, Guideline


class GuidelineError(ValueError):
    """The text cannot become a version; the message says why. Nothing was changed."""


class StaleGuidelineError(GuidelineError):
    """Somebody made a newer version than the one that the text was written from."""

    def __init__(self, newer: Guideline) -> None:
        self.newer = newer
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
        raise GuidelineError("enter a text")
    if current is not None and text == current.text:
        raise GuidelineError(f"the text is the same as in version {current.version}")
    if current is not None and current.version != since:
        raise StaleGuidelineError(current)
    return dataset.guidelines.create(version=current.version + 1 if current else 1, text=text)


@dataclass(frozen=True)
class GuidelineChanges:
    """What differs between an older version and the one in force; `lines` are the changed ones, word by word."""

    older: Guideline
    newest: Guideline
    lines: list[list[DiffPiece]]


def changes_since(dataset: Dataset, version: int) -> GuidelineChanges | None:
    """None where that version is the one in force, or none."""
    older = dataset.guidelines.filter(version=version).first()
    newest = dataset.guidelines.first()
    if older is None or newest is None or older == newest:
        return None
    return GuidelineChanges(older, newest, list(_changed_lines(older.text, newest.text)))


def _changed_lines(before: str, after: str) -> Iterator[list[DiffPiece]]:
    """Lines in the place of others are compared one by one."""
    old, new = before.splitlines(), after.splitlines()
    for operation, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if operation != "equal":
            for one, other in zip_longest(old[start:end], new[new_start:new_end], fillvalue=""):
                if one.strip() or other.strip():
                    yield word_diff(one, other)
