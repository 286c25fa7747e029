"""Sentences of a text as the published FActScore code cuts it (docs/methods.md, Sentences).

Each line is a paragraph of its own. Punkt cuts it; then initials that came apart are joined, then words that stand
alone and sentences that begin in lower case go to the sentence before them. A join puts one space in between.
"""

import re
from collections.abc import Callable
from functools import partial
from itertools import pairwise

from annotate.corpus.languages import LANGUAGES
from annotate.corpus.sentences import punkt_sentences, sentences

INITIALS = re.compile(r"[A-Z]\. ?[A-Z]\.")


def released_sentences(text: str) -> list[str]:
    """The sentences in reading order, without white space around them; none of a blank text."""
    paragraphs = filter(None, (line.strip() for line in text.split("\n")))
    return [
        sentence
        for paragraph in paragraphs
        for sentence in _join_fragments(_join_initials(paragraph, punkt_sentences(paragraph)))
    ]


def _join_initials(paragraph: str, cut: list[str]) -> list[str]:
    """For each pair of initials that is in no sentence whole, the first two sentences that it may stand between are
    joined. Of three initials in a row only the first two are looked at."""
    for initials in INITIALS.findall(paragraph):
        if any(initials in sentence for sentence in cut):
            continue
        first, second = initials[:2], initials[-2:]
        for place, (one, other) in enumerate(pairwise(cut)):
            if one.endswith(first) and other.startswith(second):
                cut = [*cut[:place], f"{one} {other}", *cut[place + 2 :]]
                break
    return cut


def _join_fragments(cut: list[str]) -> list[str]:
    """A single word that opens the paragraph waits for the next longer sentence; any other goes to the sentence before
    it. A letter without a case, as in Chinese, counts as lower case; a digit or a quotation mark does not."""
    joined: list[str] = []
    waits = False
    for sentence in cut:
        is_word = len(sentence.split()) <= 1
        if not joined:
            joined.append(sentence)
            waits = is_word
            continue
        continues = sentence[0].isalpha() and not sentence[0].isupper()
        if is_word or continues or waits:
            joined[-1] += f" {sentence}"
            waits = waits and is_word
        else:
            joined.append(sentence)
    return joined


REPAIRED = "repaired"
RELEASED = "released-code"
# By protocol profile. The papers name NLTK's splitter alone, which takes the numbers of lists for sentences. A language
# is the repaired profile, for texts that are all in this one.
SPLITTERS: dict[str, Callable[[str], list[str]]] = {
    REPAIRED: sentences,
    RELEASED: released_sentences,
    **{language: partial(sentences, language=language) for language in LANGUAGES},
}
