"""Which of the contradictions that a model wrote can be candidates at all; the others with the reason."""

from dataclasses import dataclass
from enum import StrEnum

from annotate.corpus.sentences import sentences
from factor.generating.read import WrittenContradiction
from factor.selecting.sentence import FINISHED, words_in
from stats.edits import distance

# More than twice or less than half of the words is no small edit any more.
FAR = 2
SHOWN = 2000  # characters of an answer that is kept though nothing was found in it
CLOSING = " .!?…\"'“”‘’"


class Unfit(StrEnum):
    """The reason why a contradiction is no candidate."""

    UNREADABLE = "unreadable"
    NOT_APPLICABLE = "not applicable"
    CUT_OFF = "cut off"
    UNCHANGED = "unchanged"
    REPEATED = "repeated"
    SEVERAL_SENTENCES = "several sentences"
    LENGTH = "length"
    UNLIKE = "unlike"


@dataclass(frozen=True)
class Sifted:
    """One contradiction: unfit says why it is no candidate, None where it is one."""

    error_type: str
    position: int
    edits: str
    text: str
    unfit: Unfit | None


def sift(sentence: str, answers: dict[str, tuple[str, list[WrittenContradiction]]]) -> list[Sifted]:
    """All contradictions of the sentence: of each error type the answer, and the contradictions read in it.

    Of several with the same text, in any case and spacing, the first counts. An unreadable answer is itself kept, as
    unreadable.
    """
    seen: set[str] = set()
    sifted = []
    for error_type, (answer, written) in answers.items():
        for position, each in enumerate(written or [WrittenContradiction("", answer.strip()[:SHOWN], nothing=False)]):
            unfit = Unfit.UNREADABLE if not written else _unfit(sentence, each, seen)
            text = each.text if unfit else _ended_alike(sentence, each.text)
            if unfit is None:
                seen.add(_plain(text))
            sifted.append(Sifted(error_type, position, each.edits, text, unfit))
    return sifted


def _unfit(sentence: str, written: WrittenContradiction, seen: set[str]) -> Unfit | None:
    if written.cut_off:
        return Unfit.CUT_OFF
    if written.nothing:
        return Unfit.NOT_APPLICABLE
    words, there = words_in(written.text), words_in(sentence)
    if not words:
        return Unfit.UNREADABLE
    if _plain(written.text) == _plain(sentence):
        return Unfit.UNCHANGED
    if _plain(written.text) in seen:
        return Unfit.REPEATED
    if words > FAR * there or FAR * words < there:
        return Unfit.LENGTH
    if len(sentences(written.text)) > len(sentences(sentence)):
        return Unfit.SEVERAL_SENTENCES
    # Small models repeat the demonstrations, or write of something else.
    return Unfit.UNLIKE if FAR * distance(sentence, written.text) > there else None


def _ended_alike(sentence: str, text: str) -> str:
    """The text with a full stop at its end: its absence would mark the false completion."""
    end = FINISHED.search(sentence)
    return text if end is None or FINISHED.search(text) else text + end.group()


def _plain(text: str) -> str:
    """The common form of texts that are equal but for case, spacing and marks."""
    return " ".join(text.split()).strip(CLOSING).casefold()
