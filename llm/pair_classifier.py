"""Models that classify a pair of texts, such as a premise and a hypothesis, from weights on this machine.

They need the optional extra `neural` (PyTorch and transformers); nothing is ever downloaded.
"""

import json
import os
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from llm.weights import NotReadyError

AT_ONCE = 16  # pairs that go through the model together
DEFAULT_WINDOW = 512  # tokens, of a model without a table of positions
MODELS_KEPT = 2
CONTRADICTION = "contradict"
DEVICES = AUTO, CPU, CUDA = ("auto", "cpu", "cuda")
DTYPES = ("float32", "bfloat16", "float16")

Pair = tuple[str, str]

_loading = Lock()
_one_at_a_time = Lock()


class PairClassifier:
    """A sequence-classification model over pairs of texts. window: tokens of a pair, the special ones included."""

    def __init__(self, tokenizer: Any, model: Any) -> None:
        self._tokenizer = tokenizer
        self._model = model
        self._tokenizing = Lock()  # it keeps how it was last asked to pad
        self._asked: deque[tuple[Sequence[Pair], Future[list[list[float]]]]] = deque()
        longest = getattr(model.config, "max_position_embeddings", None)
        # Some models count positions from behind that of the padding.
        self.window: int = longest - tokenizer.pad_token_id - 1 if longest else DEFAULT_WINDOW

    def takes(self, pair: Pair) -> bool:
        """Whether the pair is no longer than the model's window."""
        with self._tokenizing:
            return len(self._tokenizer(*pair)["input_ids"]) <= self.window

    def probabilities(self, pairs: Sequence[Pair], at_once: int = AT_ONCE) -> list[list[float]]:
        """Of each pair the probabilities of the labels by their places. The model takes each pair.

        The pairs of all threads that ask meanwhile go through the model together: a few pairs at once take as long as
        many. Digits after the sixth depend on what else goes through the model at once, and are left out.
        """
        answer: Future[list[list[float]]] = Future()
        self._asked.append((pairs, answer))
        with _one_at_a_time:
            if not answer.done():
                self._answer_all(at_once)
        return answer.result()

    def _answer_all(self, at_once: int) -> None:
        asked = [self._asked.popleft() for _ in range(len(self._asked))]
        try:
            found = iter(self._classify([pair for pairs, _ in asked for pair in pairs], at_once))
        except Exception:  # noqa: BLE001 - raised where it belongs: one that is faulty spoils no other
            for pairs, answer in asked:
                self._answer(answer, pairs, at_once)
        else:
            for pairs, answer in asked:
                answer.set_result([next(found) for _ in pairs])

    def _answer(self, answer: Future[list[list[float]]], pairs: Sequence[Pair], at_once: int) -> None:
        try:
            answer.set_result(self._classify(pairs, at_once))
        except Exception as error:  # noqa: BLE001 - raised where the answer is awaited
            answer.set_exception(error)

    def _classify(self, pairs: Sequence[Pair], at_once: int) -> list[list[float]]:
        """Those of a length go through the model together: what fills up the shorter ones takes time too."""
        import torch

        by_length = sorted(range(len(pairs)), key=lambda place: sum(map(len, pairs[place])))
        found: dict[int, list[float]] = {}
        for first in range(0, len(pairs), at_once):
            places = by_length[first : first + at_once]
            firsts, seconds = zip(*(pairs[place] for place in places), strict=True)
            with self._tokenizing:
                read = self._tokenizer(list(firsts), list(seconds), padding=True, return_tensors="pt")
            with torch.inference_mode():
                logits = self._model(**read.to(self._model.device)).logits
                likely = torch.softmax(logits.double(), dim=1).round(decimals=6).tolist()
            found.update(zip(places, likely, strict=True))
        return [found[place] for place in range(len(pairs))]


def read_labels(folder: Path) -> dict[int, str]:
    """The model's labels by their places, as config.json names them; quick. Raises NotReadyError."""
    try:
        labels = json.loads((folder / "config.json").read_text(encoding="utf-8")).get("id2label") or {}
        return {int(place): str(label) for place, label in labels.items()}
    except (ValueError, AttributeError):
        raise NotReadyError(f"The config.json of the weights {folder.name} cannot be read.") from None


def find_contradiction(folder: Path) -> int:
    """The place of the label of a contradiction, by its name: models order theirs variously. Raises NotReadyError."""
    labels = read_labels(folder)
    places = [place for place, label in labels.items() if CONTRADICTION in label.lower()]
    if len(places) != 1:
        named = ", ".join(labels.values()) or "none"
        raise NotReadyError(
            f"The weights {folder.name} are of no model that tells contradictions: its labels are {named}, "
            f"and exactly one must be called contradiction."
        )
    return places[0]


def load_pair_classifier(folder: Path, device: str = AUTO, dtype: str = DTYPES[0]) -> PairClassifier:
    """Loaded once a process. device: "auto" takes a GPU where there is one. Raises NotReadyError where it cannot be."""
    with _loading:
        return _load_once(folder, device, dtype)


@lru_cache(maxsize=MODELS_KEPT)
def _load_once(folder: Path, device: str, dtype: str) -> PairClassifier:
    os.environ.update(HF_HUB_OFFLINE="1", HF_HUB_DISABLE_PROGRESS_BARS="1")  # read when transformers is imported
    import torch
    import transformers

    if device == CUDA and not torch.cuda.is_available():
        raise NotReadyError("device is cuda, and PyTorch finds no such GPU on this machine.")
    here: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    precision = getattr(torch, dtype)
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **here)
        model = transformers.AutoModelForSequenceClassification.from_pretrained(folder, dtype=precision, **here)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise NotReadyError(f"The weights {folder.name} cannot be loaded: {error}") from error
    if device == AUTO:
        device = CUDA if torch.cuda.is_available() else CPU
    return PairClassifier(tokenizer, model.to(device).eval())
