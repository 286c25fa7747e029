"""English texts tagged by spaCy, whose model comes as a package: nothing is downloaded."""

from functools import lru_cache
from threading import Lock
from typing import Any

from knowledge.english_model_files import model_folder

# Of an endless sentence the beginning says enough, and memory grows with the length.
LONGEST = 5_000  # characters
UNUSED = ["parser", "lemmatizer"]

_one_at_a_time = Lock()


def tag_english(text: str) -> Any:
    """The text's first LONGEST characters as a spaCy Doc with tags and entities. Raises ModelFilesError."""
    with _one_at_a_time:
        return _load()(text[:LONGEST])


@lru_cache(maxsize=1)
def _load() -> Any:
    """Takes a second and 150 MB, so it is imported with the first sentence, once a process."""
    import spacy

    return spacy.load(model_folder(), disable=UNUSED)
