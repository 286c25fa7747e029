"""Keys on an annotator's pages: each assignment has its own, which tell nothing of the rows behind them.

A draft is stored by the primary keys of its units. Its pages must not show these: a unit of a hidden control is older
than its neighbours, and a number would tell. Every page, form and request of an assignment is translated here.
"""

from base64 import urlsafe_b64encode
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import TypeVar

from django.utils.crypto import salted_hmac

from annotate.judgements.entries import COMMENT_KEY, CORRECTION, VERDICT
from annotate.models import Assignment

# 48 bits: a thousand units of a task have no two alike in all but one of 500 million tasks.
BYTES = 6
SALT = "annotate.judgements.page_keys"

Content = TypeVar("Content")


class PageKeys:
    """The two forms of the draft keys of an assignment."""

    def __init__(self, assignment: Assignment) -> None:
        # The assignment's own key is the address of its page: without the site's secret a guess could be tried on it.
        self._secret = salted_hmac(SALT, assignment.key, algorithm="sha256").digest()

    def of(self, key: str) -> str:
        """The page's key for a draft's key. Kinds of entries keep their prefixes; a correction has the unit's key."""
        if key == COMMENT_KEY:
            return key
        kind, _, number = key.partition(".")
        if kind == CORRECTION:
            return f"{kind}.{self._hashed(number)}"
        return f"{kind}.{self._hashed(key)}" if kind == VERDICT else self._hashed(key)

    def of_all(self, entries: Mapping[str, Content]) -> dict[str, Content]:
        """The entries by the page's keys."""
        return {self.of(key): entry for key, entry in entries.items()}

    def read(self, known: Iterable[str]) -> dict[str, str]:
        """The draft's key by the page's, for each of these draft keys: what a page sends is looked up here."""
        return {self.of(key): key for key in known}

    def _hashed(self, key: str) -> str:
        return urlsafe_b64encode(blake2b(key.encode(), digest_size=BYTES, key=self._secret).digest()).decode()
