"""The correction of a sentence, word by word (pure: texts in, pieces out)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

_WORD = re.compile(r"\s*\S+\s*$|\s*\S+")


@dataclass(frozen=True)
class DiffPiece:
    """A run of words with the white space before them. `kind`: "same", "removed" or "added".

    `replaces`: an added piece that stands where another was removed, so that it corrects rather than adds.
    """

    kind: str
    text: str
    replaces: bool = False


def word_diff(before: str, after: str) -> list[DiffPiece]:
    """The pieces in order; the same and the removed ones give `before`, the same and the added ones `after`, white
    space apart. What replaces something follows it."""
    old, new = _words(before), _words(after)
    pieces = []
    matcher = SequenceMatcher(None, _bare(old), _bare(new), autojunk=False)
    for operation, start, end, new_start, new_end in matcher.get_opcodes():
        if operation == "equal":
            pieces.append(DiffPiece("same", "".join(new[new_start:new_end])))
            continue
        if end > start:
            pieces.append(DiffPiece("removed", "".join(old[start:end])))
        if new_end > new_start:
            pieces.append(DiffPiece("added", "".join(new[new_start:new_end]), replaces=end > start))
    return pieces


def additions(pieces: Sequence[DiffPiece]) -> list[str]:
    """Added words that correct nothing, which an edit should not have (FActScore appendix C)."""
    return [piece.text.strip() for piece in pieces if piece.kind == "added" and not piece.replaces]


def _words(text: str) -> list[str]:
    return _WORD.findall(text)


def _bare(words: Sequence[str]) -> list[str]:
    return [word.strip() for word in words]
