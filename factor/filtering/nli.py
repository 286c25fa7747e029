"""The probability of a contradiction by a model of natural-language inference, from weights on this machine."""

from collections.abc import Sequence
from pathlib import Path

from factor.filtering.sentence_pairs import SentencePair, shortened
from llm.pair_classifier import Pair, PairClassifier, find_contradiction, load_pair_classifier
from llm.weights import find_weights


class Inference:
    """A classifier of premise and hypothesis that has a label for a contradiction, at this place."""

    def __init__(self, classifier: PairClassifier, contradiction: int) -> None:
        self._classifier = classifier
        self._contradiction = contradiction

    def contradictions(self, pairs: Sequence[SentencePair]) -> list[float | None]:
        """Of each pair p(contradiction | premise, hypothesis). The near context is cut on the left so far that the
        model takes both texts; None where it does not take them without any."""
        fitting = [self._fitting(pair) for pair in pairs]
        readable = [texts for texts in fitting if texts is not None]
        probabilities = iter(self._classifier.probabilities(readable))
        return [None if texts is None else next(probabilities)[self._contradiction] for texts in fitting]

    def _fitting(self, pair: SentencePair) -> Pair | None:
        both = ((near + pair.original, near + pair.candidate) for near in shortened(pair.near))
        return next(filter(self._classifier.takes, both), None)


def find_nli_weights(name: str, parameter: str) -> Path:
    """The folder of this name in WEIGHTS_DIR. Quick: nothing is loaded. Raises NotReadyError where there is none, or
    its model has no label for a contradiction."""
    folder = find_weights(name, parameter)
    find_contradiction(folder)
    return folder


def load_nli(folder: Path) -> Inference:
    """Loaded once a process. Raises NotReadyError where it cannot be."""
    return Inference(load_pair_classifier(folder), find_contradiction(folder))
