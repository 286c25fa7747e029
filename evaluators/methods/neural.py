"""Neural models that run in this process, from weights on this machine; nothing is ever downloaded.

They need the optional extra `neural` (PyTorch and transformers), which is loaded when the first case is judged.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from llm.weights import NotReadyError

MODELS_KEPT = 2  # one that masks, one that retrieves
AT_ONCE = 32  # texts that go through a model together
DEFAULT_WINDOW = 512  # tokens, of a model without a table of positions

Vectors = NDArray[np.float32]
"""One row a token."""

_one_at_a_time = Lock()


@dataclass(frozen=True)
class ModelTokens:
    """A text, or a piece of it as long as the model takes, as the model's tokens.

    spans: where each stands in the text, in characters. special: which of them the model adds, at either end.
    """

    ids: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    special: tuple[bool, ...]


class Encoder:
    """A model that gives each token of a text a vector. window: tokens that it takes, the special ones included."""

    def __init__(self, tokenizer: Any, model: Any) -> None:
        self._tokenizer = tokenizer
        self._model = model
        self.masks: bool = tokenizer.mask_token_id is not None
        # Some models count positions from behind that of the padding.
        longest = getattr(model.config, "max_position_embeddings", None)
        self.window: int = longest - tokenizer.pad_token_id - 1 if longest else DEFAULT_WINDOW

    def tokenize(self, text: str) -> list[ModelTokens]:
        """The text in as many pieces as it takes: none of it is lost."""
        read = self._tokenizer(
            text,
            truncation=True,
            max_length=self.window,
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
            return_special_tokens_mask=True,
        )
        columns = zip(read["input_ids"], read["offset_mapping"], read["special_tokens_mask"], strict=True)
        return [
            ModelTokens(tuple(ids), tuple((start, end) for start, end in spans), tuple(map(bool, special)))
            for ids, spans, special in columns
        ]

    def mask(self, ids: Sequence[int], place: int) -> tuple[int, ...]:
        return (*ids[:place], self._tokenizer.mask_token_id, *ids[place + 1 :])

    def mask_again(self, ids: Sequence[int], place: int) -> tuple[tuple[int, ...], int]:
        """A text without the model's own tokens, written out with a mask at this place and read again with them; and
        where its first mask is then."""
        read = tuple(self._tokenizer(self._tokenizer.decode(self.mask(ids, place)))["input_ids"])
        return read, read.index(self._tokenizer.mask_token_id)

    def encode(self, texts: Sequence[Sequence[int]]) -> Iterator[Vectors]:
        """The last hidden states of each text of token ids, in batches."""
        for first in range(0, len(texts), AT_ONCE):
            with _one_at_a_time:
                states = self._encode(texts[first : first + AT_ONCE])
            yield from states

    def _encode(self, batch: Sequence[Sequence[int]]) -> list[Vectors]:
        import torch

        longest = max(map(len, batch))
        ids = torch.full((len(batch), longest), self._tokenizer.pad_token_id)
        seen = torch.zeros_like(ids)
        for row, text in enumerate(batch):
            ids[row, : len(text)] = torch.tensor(text)
            seen[row, : len(text)] = 1
        device = self._model.device
        with torch.inference_mode():
            states = self._model(input_ids=ids.to(device), attention_mask=seen.to(device)).last_hidden_state
        return [states[row, : len(text)].cpu().numpy() for row, text in enumerate(batch)]


def load_masked(folder: Path) -> Encoder:
    """A masked language model, loaded once a process. Raises NotReadyError where it cannot be."""
    encoder = _load(folder, "AutoModelForMaskedLM")
    if not encoder.masks:
        raise NotReadyError(f"The weights {folder.name} are of a model that masks no token.")
    return encoder


def load_encoder(folder: Path) -> Encoder:
    """A model that gives vectors, loaded once a process. Raises NotReadyError where it cannot be."""
    return _load(folder, "AutoModel")


def _load(folder: Path, kind: str) -> Encoder:
    with _one_at_a_time:
        return _load_once(folder, kind)


@lru_cache(maxsize=MODELS_KEPT)
def _load_once(folder: Path, kind: str) -> Encoder:
    os.environ.update(HF_HUB_OFFLINE="1", HF_HUB_DISABLE_PROGRESS_BARS="1")  # read when transformers is imported
    import torch
    import transformers

    here: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **here)
        model = getattr(transformers, kind).from_pretrained(folder, dtype=torch.float32, **here)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise NotReadyError(f"The weights {folder.name} cannot be loaded: {error}") from error
    encoder = model.base_model.get_encoder() if model.config.is_encoder_decoder else model.base_model
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return Encoder(tokenizer, encoder.to(device).eval())
