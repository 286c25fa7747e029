"""Segmenters of sentences against texts that were cut by hand (docs/methods.md, Languages)."""

from collections.abc import Iterable, Sequence
from pathlib import Path

# The first was at hand when the rules of annotate/corpus/sentences.py were written, the second was not.
FILES = ("gold", "unseen")
UNSPACED = ("zh", "ja")


def read_gold(name: str) -> dict[str, list[list[str]]]:
    """By language the texts of the file, each as its sentences."""
    texts: dict[str, list[list[str]]] = {}
    for part in (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8").split("\n== ")[1:]:
        language, _, rest = part.partition(" ==\n")
        texts[language] = [text.split("\n") for text in rest.strip().split("\n\n")]
    return texts


def joined(language: str, sentences: Iterable[str]) -> str:
    return ("" if language in UNSPACED else " ").join(sentences)


def borders(text: str, sentences: Iterable[str]) -> set[int]:
    """Where sentences end within the text, its own end left out."""
    ends, place = set(), 0
    for sentence in filter(None, map(str.strip, sentences)):
        place = text.index(sentence, place) + len(sentence)
        ends.add(place)
    return ends - {len(text)}


def f1(pairs: Sequence[tuple[set[int], set[int]]]) -> float:
    """Of (gold, found) borders, summed over the texts."""
    right = sum(len(gold & found) for gold, found in pairs)
    return 2 * right / sum(len(gold) + len(found) for gold, found in pairs)
