"""SelfCheckGPT with an n-gram model (Manakul et al. 2023, §5.3): how surprising is the unit to a model of the subject's
own answers?"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evaluators.methods.base import Case, Judge, Method, Outcome, Parameter, Skip, Tools, Unit
from evaluators.methods.selfcheck_samples import decide, other_answers, unless_alone

AVERAGE, MAXIMUM = "average", "maximum"
NO_WORDS = "no words"
WORD = re.compile(r"\w+(?:['’]\w+)*")

Gram = tuple[str, ...]


class NGramModel:
    """Counts of n-grams, with one added to each. Before the n-th word of a text there are fewer words to go by."""

    def __init__(self, texts: Sequence[Sequence[str]], n: int) -> None:
        """texts: as words, those of at least one text."""
        self._n = n
        self._grams = Counter(gram for words in texts for gram in _grams_up_to(words, n))
        # How often each run of words, the empty one too, is followed by any word.
        self._contexts: Counter[Gram] = Counter()
        for gram, count in self._grams.items():
            self._contexts[gram[:-1]] += count
        # One more stands for all words that are in no text.
        self._vocabulary = len({gram for gram in self._grams if len(gram) == 1}) + 1

    def surprises(self, words: Sequence[str]) -> list[float]:
        """The negative logarithm of each word's probability after the n - 1 words before it, in nats."""
        return [-math.log(self._probability(gram)) for gram in _longest_grams(words, self._n)]

    def _probability(self, gram: Gram) -> float:
        return (self._grams[gram] + 1) / (self._contexts[gram[:-1]] + self._vocabulary)


def _longest_grams(words: Sequence[str], n: int) -> Iterator[Gram]:
    """Each word, last, with the up to n - 1 words before it."""
    return (tuple(words[max(0, place - n + 1) : place + 1]) for place in range(len(words)))


def _grams_up_to(words: Sequence[str], n: int) -> Iterator[Gram]:
    return (gram[start:] for gram in _longest_grams(words, n) for start in range(len(gram)))


def words_of(text: str) -> list[str]:
    """In lower case, without marks."""
    return [match.group() for match in WORD.finditer(text.casefold())]


def build(parameters: Mapping[str, Any]) -> Judge:
    n, aggregate, threshold = parameters["n"], parameters["aggregate"], parameters["threshold"]

    async def judge(case: Case, tools: Tools) -> list[Outcome]:
        model = NGramModel([words_of(text) for text in (case.response, *other_answers(case))], n)
        return [judge_unit(unit, model) for unit in case.units]

    def judge_unit(unit: Unit, model: NGramModel) -> Outcome:
        words = words_of(unit.text)
        if not words:
            return Skip(unit, NO_WORDS)
        surprises = model.surprises(words)
        place = max(range(len(words)), key=surprises.__getitem__)
        surprise = surprises[place] if aggregate == MAXIMUM else math.fsum(surprises) / len(surprises)
        rationale = f"{aggregate} surprise {surprise:.2f}; most of all {words[place]!r} {surprises[place]:.2f}"
        return decide(unit, score_of(surprise), threshold, rationale)

    return unless_alone(judge)


def score_of(surprise: float) -> float:
    """From 1 for no surprise down towards 0, so that units stand in the order of the paper's measure."""
    return 1 / (1 + surprise)


METHOD = Method(
    name="selfcheck-ngram",
    title="SelfCheckGPT, n-grams",
    description="Judges each unit by how surprising its words are to an n-gram model of the response and the subject "
    "model's other answers to the same prompt. Calls no model; leaves out responses without other samples.",
    build=build,
    own_parameters=(
        Parameter("n", 1, "Words of an n-gram; 1: each word by itself.", minimum=1, maximum=5, label="Words together"),
        Parameter(
            "aggregate",
            MAXIMUM,
            "Which surprise counts: that of the most surprising word, or the average.",
            choices=(MAXIMUM, AVERAGE),
            label="Surprise that counts",
        ),
        Parameter(
            "threshold",
            0.13,
            "Score from which a unit is supported: 1 by 1 and the surprise.",
            minimum=0,
            maximum=1,
            label="Threshold",
        ),
    ),
)
