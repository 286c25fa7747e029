"""Claims that a file gives without their sentences, aligned to the sentences of the response (docs/recipes.md).

A claim that stands in a sentence as it is, white space and case aside, belongs to it. Otherwise its content words are
looked up in every sentence. A word counts by how few of the sentences hold it, ln(1 + n / held); one that no sentence
holds counts as one that a single sentence holds. The claim belongs to the sentence that holds the largest share of its
words so counted, if that is at least half. Where several sentences hold as much, it is the first of them that does not
stand before the sentence of the claim before, else the last of them: claims stand in the order of the text.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from math import log

from knowledge.words import content_words

LEAST_SHARE = 0.5


class WeightedTexts:
    """Texts whose content words count by how few of the texts hold them: sentences, or other pieces of a response."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._plain = [_plain(text) for text in texts]
        self._words = [set(content_words(text)) for text in texts]
        held = Counter(word for each in self._words for word in each)
        self._weights = {word: log(1 + len(texts) / count) for word, count in held.items()}
        self._unheld = log(1 + len(texts))
        self._wholes = [self._weigh(words) for words in self._words]

    def best(self, claim: str, among: Collection[int] | None = None) -> list[int]:
        """The texts that hold the claim as it is, else those that hold the most of its words; none where that is less
        than LEAST_SHARE. among: the places of the texts to choose from, None for all."""
        places = sorted(range(len(self._words)) if among is None else among)
        wanted = _plain(claim).rstrip(".")
        verbatim = [place for place in places if wanted and wanted in self._plain[place]]
        if verbatim:
            return verbatim
        words = set(content_words(claim))
        whole = self._weigh(words)
        if not whole:
            return []
        shares = [self._weigh(words & self._words[place]) / whole for place in places]
        most = max(shares, default=0.0)
        return [place for place, share in zip(places, shares, strict=True) if share == most and most >= LEAST_SHARE]

    def shares_in(self, claim: str) -> list[float]:
        """For each text the share of its words that the claim holds; 0 of a text with fewer than two content words:
        too many claims would hold it."""
        words = set(content_words(claim))
        # Rounded, so that four of five words that count alike are four fifths.
        return [
            round(self._weigh(words & each) / whole, 9) if len(each) > 1 else 0.0
            for each, whole in zip(self._words, self._wholes, strict=True)
        ]

    def _weigh(self, words: Collection[str]) -> float:
        # Summed in one order, so that equal words are equal numbers.
        return sum(self._weights.get(word, self._unheld) for word in sorted(words))


def align(claims: Sequence[str], sentences: Sequence[str]) -> list[int | None]:
    """For each claim the number of its sentence from 0; None where no sentence holds enough of it."""
    texts = WeightedTexts(sentences)
    places: list[int | None] = []
    last = 0
    for claim in claims:
        place = first_from(texts.best(claim), last)
        last = last if place is None else place
        places.append(place)
    return places


def first_from(places: Sequence[int], last: int) -> int | None:
    """Of places in rising order the first that is not before `last`, else the last one; None where there is none."""
    return next((place for place in places if place >= last), places[-1] if places else None)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
