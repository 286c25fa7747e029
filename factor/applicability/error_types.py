"""The kinds of error that a sentence can be given, by its parts of speech, its entities and its link words."""

from collections.abc import Callable, Iterable
from typing import Any

from factor.applicability.link_words import link_words_in
from factor.models import FactorErrorType
from knowledge.english import tag_english

# Places, dates and times, as the tagger calls them (OntoNotes).
CIRCUMSTANCES = frozenset({"GPE", "LOC", "FAC", "DATE", "TIME"})
NOUNS = frozenset({"NOUN", "PROPN"})
# Pronouns that stand for somebody or something named elsewhere: "there", "who" and "nobody" do not.
PERSONAL, DEMONSTRATIVE = frozenset({"PRP", "PRP$"}), "DT"


def applicable_types(sentence: str) -> dict[str, list[str]]:
    """Of each kind of error (FactorErrorType) that applies, in their order, the words of the sentence that say so.

    Entity: nouns. Predicate: verbs, a form of "to be" among them. Circumstance: entities of place and time.
    Coreference: pronouns. Link: words that link in time or as cause and effect. {}: none applies. (FACTOR appendix A.1)
    """
    tagged = tag_english(sentence)
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
