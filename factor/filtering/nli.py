"""The probability of a contradiction by a model of natural-language inference, from weights on this machine."""

import json
import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from factor.filtering.sentence_pairs import SentencePair, shortened
from llm.weights import NotReadyError, find_weights

AT_ONCE = 16  # pairs that go through the model together
DEFAULT_WINDOW = 512  # tokens, of a model without a table of positions
CONTRADICTION = "contradict"

_one_at_a_time = Lock()


class Inference:
    """A sequence-classification model over pairs of texts. window: tokens of a pair, the special ones included."""

    def __init__(self, tokenizer: Any, model: Any, contradiction: int) -> None:
        self._tokenizer = tokenizer
        self._model = model
        self._contradiction = contradiction
        longest = getattr(model.config, "max_position_embeddings", None)
        # Some models count positions from behind that of the padding.
        self.window: int = longest - tokenizer.pad_token_id - 1 if longest else DEFAULT_WINDOW

    def contradictions(self, pairs: Sequence[SentencePair]) -> list[float | None]:
        """Of each pair p(contradiction | premise, hypothesis). The near context is cut on the left so far that the
        model takes both texts; None where it does not take them without any."""
        fitting = [self._fitting(pair) for pair in pairs]
        readable = [texts for texts in fitting if texts is not None]
        probabilities = self._probabilities(readable)
        return [None if texts is None else next(probabilities) for texts in fitting]

    def _fitting(self, pair: SentencePair) -> tuple[str, str] | None:
        for near in shortened(pair.near):
            premise, hypothesis = near + pair.original, near + pair.candidate
            if len(self._tokenizer(premise, hypothesis)["input_ids"]) <= self.window:
                return premise, hypothesis
        return None

    def _probabilities(self, texts: Sequence[tuple[str, str]]) -> Iterator[float]:
        import torch

        for first in range(0, len(texts), AT_ONCE):
            premises, hypotheses = zip(*texts[first : first + AT_ONCE], strict=True)
            with _one_at_a_time, torch.inference_mode():
                read = self._tokenizer(list(premises), list(hypotheses), padding=True, return_tensors="pt")
                logits = self._model(**read.to(self._model.device)).logits
                yield from torch.softmax(logits.double(), dim=1)[:, self._contradiction].tolist()


def find_nli_weights(name: str, parameter: str) -> Path:
    """The folder of this name in WEIGHTS_DIR. Quick: nothing is loaded. Raises NotReadyError where there is none, or
    its model has no label for a contradiction."""
    folder = find_weights(name, parameter)
    _contradiction_of(folder)
    return folder


def load_nli(folder: Path) -> Inference:
    """Loaded once a process. Raises NotReadyError where it cannot be."""
    with _one_at_a_time:
        return _load_once(folder)


@lru_cache(maxsize=1)
def _load_once(folder: Path) -> Inference:
    contradiction = _contradiction_of(folder)
    os.environ.update(HF_HUB_OFFLINE="1", HF_HUB_DISABLE_PROGRESS_BARS="1")  # read when transformers is imported
    import torch
    import transformers

    here: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **here)
        model = transformers.AutoModelForSequenceClassification.from_pretrained(folder, dtype=torch.float32, **here)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise NotReadyError(f"The weights {folder.name} cannot be loaded: {error}") from error
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return Inference(tokenizer, model.to(device).eval(), contradiction)


def _contradiction_of(folder: Path) -> int:
    """The place of the label of a contradiction, by the name in config.json: models order theirs variously."""
    try:
        labels = json.loads((folder / "config.json").read_text(encoding="utf-8")).get("id2label") or {}
        places = [int(place) for place, label in labels.items() if CONTRADICTION in str(label).lower()]
    except (ValueError, AttributeError):
        raise NotReadyError(f"The config.json of the weights {folder.name} cannot be read.") from None
    if len(places) != 1:
        named = ", ".join(map(str, labels.values())) or "none"
        raise NotReadyError(
            f"The weights {folder.name} are of no model that tells contradictions: its labels are {named}, "
            f"and exactly one must be called contradiction."
        )
    return places[0]
