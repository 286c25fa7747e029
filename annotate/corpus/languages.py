"""The language of a text, by its letters and its words (docs/methods.md, Languages)."""

import re
from collections import Counter

ENGLISH = "en"
# Those that a person may name and that a text is taken for.
LANGUAGES = {
    "ar": "Arabic",
    "bn": "Bengali",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fa": "Persian",
    "fr": "French",
    "hi": "Hindi",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
    "th": "Thai",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "ur": "Urdu",
    "zh": "Chinese",
}
# The language of a text in this script whose words do not tell it.
SCRIPTS = {
    "zh": "\u2e80-\u2fff\u3021-\u3029\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f",
    "ko": "\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3",
    "th": "\u0e01-\u0e30\u0e40-\u0e46",
    "hi": "\u0904-\u0939\u0958-\u0961",
    "bn": "\u0985-\u09b9",
    "ar": "\u0620-\u064a\u066e-\u06d3\u06fa-\u06ff",
    "ru": "\u0400-\u052f",
    "el": "\u0370-\u03ff\u1f00-\u1fff",
    ENGLISH: "A-Za-z\u00c0-\u024f",
}
LETTERS = {language: re.compile(f"[{letters}]") for language, letters in SCRIPTS.items()}
# What a language's script is found by, and its words: the rest of a long text tells no more.
LOOKED_AT = 5_000
# A word of these has about so many letters and no white space around it.
UNSPACED = {"zh": 2, "th": 4}


def script_of(text: str) -> str:
    """The key of SCRIPTS that most letters are of; English for a text without any."""
    sample = text[:LOOKED_AT]
    if sample.isascii():
        return ENGLISH
    letters = Counter({script: len(found.findall(sample)) for script, found in LETTERS.items()})
    script, count = letters.most_common(1)[0]
    return script if count else ENGLISH


def language_of(text: str) -> str:
    """A key of LANGUAGES. Words that do not tell leave it to the letters."""
    # Here, not above: few processes cut text.
    import pycld2

    sample = "".join(letter if letter.isprintable() else " " for letter in text[:LOOKED_AT])
    reliable, _, found = pycld2.detect(sample)
    language = found[0][1].partition("-")[0]
    return language if reliable and language in LANGUAGES else script_of(text)


def count_words(text: str) -> int:
    """Pieces between white space; of scripts that put none between words, so many letters for one."""
    return len(text.split()) + sum(len(LETTERS[script].findall(text)) // size for script, size in UNSPACED.items())
