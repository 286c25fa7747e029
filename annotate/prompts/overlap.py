"""The overlap of two prompts: ROUGE-L, by which self-instruct tells near-duplicates (Wang et al. 2022, §2.2).

Plain texts in, numbers out.
"""

import re
from collections.abc import Iterable, Sequence

WORD = re.compile(r"\w+")
# From this on a prompt is a near-duplicate, as there.
NEAR = 0.7


def words(text: str) -> list[str]:
    """Its words in lower case, without punctuation."""
    return WORD.findall(text.casefold())


def rouge_l(left: Sequence[str], right: Sequence[str]) -> float:
    """The harmonic mean of the longest common subsequence's shares of both; 0 where they share no word."""
    common = _common_subsequence(left, right)
    return 2 * common / (len(left) + len(right)) if common else 0.0


def nearest(text: str, others: Iterable[str]) -> float:
    """The greatest overlap with any of the others; 0 where there is none."""
    own = words(text)
    return max((rouge_l(own, words(other)) for other in others), default=0.0)


def _common_subsequence(left: Sequence[str], right: Sequence[str]) -> int:
    """Length of the longest one, row by row of the usual table."""
    row = [0] * (len(right) + 1)
    for word in left:
        before = 0
        for place, other in enumerate(right, start=1):
            here = row[place]
            row[place] = before + 1 if word == other else max(here, row[place - 1])
            before = here
    return row[-1]
