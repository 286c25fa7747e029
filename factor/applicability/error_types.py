"""The kinds of error that a sentence can be given, by its parts of speech, its entities and its link words.

spaCy tags them; its English model comes as a package, so nothing is downloaded.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from threading import Lock
from typing import Any

from factor.applicability.link_words import link_words_in
from factor.applicability.model_files import model_folder
from factor.models import FactorErrorType

# Places, dates and times, as the tagger calls them (OntoNotes).
CIRCUMSTANCES = frozenset({"GPE", "LOC", "FAC", "DATE", "TIME"})
NOUNS = frozenset({"NOUN", "PROPN"})
# Pronouns that stand for somebody or something named elsewhere: "there", "who" and "nobody" do not.
PERSONAL, DEMONSTRATIVE = frozenset({"PRP", "PRP$"}), "DT"
# Of an endless sentence the beginning says enough, and memory grows with the length.
LONGEST = 5_000  # characters
UNUSED = ["parser", "lemmatizer"]

_one_at_a_time = Lock()


def _tagged(sentence: str) -> Any:
    """The sentence's first LONGEST characters as a spaCy Doc with tags and entities."""
    with _one_at_a_time:
        return _load()(sentence[:LONGEST])


@lru_cache(maxsize=1)
def _load() -> Any:
    """Takes a second and 150 MB, so it is imported with the first sentence, once a process. Raises ModelFilesError."""
    import spacy

    return spacy.load(model_folder(), disable=UNUSED)


def applicable_types(sentence: str) -> dict[str, list[str]]:
    """Of each kind of error (FactorErrorType) that applies, in their order, the words of the sentence that say so.

    Entity: nouns. Predicate: verbs, a form of "to be" among them. Circumstance: entities of place and time.
    Coreference: pronouns. Link: words that link in time or as cause and effect. {}: none applies. (FACTOR appendix A.1)
    """
    tagged = _tagged(sentence)
    units = {
        FactorErrorType.ENTITY: _words(tagged, lambda token: token.pos_ in NOUNS),
        FactorErrorType.PREDICATE: _words(tagged, lambda token: token.tag_.startswith("VB")),
        FactorErrorType.CIRCUMSTANCE: _distinct(
            entity.text for entity in tagged.ents if entity.label_ in CIRCUMSTANCES
        ),
        FactorErrorType.COREFERENCE: _words(tagged, _is_reference),
        FactorErrorType.LINK: _distinct(link_words_in(sentence)),
    }
    return {str(error_type): words for error_type, words in units.items() if words}


def _is_reference(token: Any) -> bool:
    return token.tag_ in PERSONAL or (token.pos_ == "PRON" and token.tag_ == DEMONSTRATIVE)


def _words(tagged: Any, says: Callable[[Any], bool]) -> list[str]:
    return _distinct(token.text for token in tagged if says(token))


def _distinct(words: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(" ".join(word.split()) for word in words if word.strip()))
