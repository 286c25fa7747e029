"""A causal language model from a folder of weights, by transformers. Needs the extra `neural`."""

import copy
import os
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np

from factor.language_models.base import NotScorableError
from factor.language_models.borders import Span
from factor.language_models.local import Logits
from llm.weights import NotReadyError, find_weights

DEFAULT_LONGEST = 2048  # tokens, of a model without a table of positions


class FolderWeights:
    """See factor.language_models.local.Weights."""

    def __init__(self, tokenizer: Any, model: Any) -> None:
        self._tokenizer = tokenizer
        self._model = model
        self._begun: Any = None
        read = tokenizer("a", return_special_tokens_mask=True)
        special = zip(read["input_ids"], read["special_tokens_mask"], strict=True)
        self.beginning: tuple[int, ...] = tuple(token for token, is_special in takewhile(lambda each: each[1], special))
        self.opening: tuple[int, ...] = () if tokenizer.bos_token_id is None else (int(tokenizer.bos_token_id),)
        self.longest: int = getattr(model.config, "max_position_embeddings", None) or DEFAULT_LONGEST

    def tokenize(self, text: str) -> tuple[list[int], list[Span]]:
        read = self._tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)
        return read["input_ids"], [(start, end) for start, end in read["offset_mapping"]]

    def begin(self, ids: Sequence[int], rows: int) -> Logits:
        self._begun = None
        logits, self._begun = self._read(ids, None, rows)
        return logits

    def go_on(self, ids: Sequence[int]) -> Logits:
        # A copy, and not the same cut back to its length: not every kind of memory can be.
        return self._read(ids, copy.deepcopy(self._begun), len(ids))[0]

    def _read(self, ids: Sequence[int], memory: Any, rows: int) -> tuple[Logits, Any]:
        import torch

        try:
            with torch.inference_mode():
                read = self._model(
                    input_ids=torch.tensor([ids], device=self._model.device),
                    past_key_values=memory,
                    use_cache=True,
                    logits_to_keep=rows,
                )
        except RuntimeError as error:  # no memory left, most often
            raise NotScorableError(f"PyTorch could not read {len(ids)} tokens: {error}") from error
        logits: Logits = read.logits[0].float().cpu().numpy().astype(np.float32, copy=False)
        return logits, read.past_key_values


def load_folder(name: str, context_length: int) -> FolderWeights:
    """The folder of this name in WEIGHTS_DIR. Raises NotReadyError where it cannot be used."""
    weights = _load_once(find_weights(name, "The model"))
    check_longest(name, context_length, weights.longest)
    return weights


def check_longest(name: str, context_length: int, longest: int) -> None:
    if context_length > longest:
        raise NotReadyError(f"{name} takes {longest:,} tokens at most: ask for a context no longer than that.")


@lru_cache(maxsize=1)
def _load_once(folder: Path) -> FolderWeights:
    os.environ.update(HF_HUB_OFFLINE="1", HF_HUB_DISABLE_PROGRESS_BARS="1")  # read when transformers is imported
    import torch
    import transformers

    here: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **here)
        named = transformers.AutoConfig.from_pretrained(folder, **here).dtype  # "auto" would look at the weights, too
        model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=named or torch.float32, **here)
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        raise NotReadyError(f"The weights {folder.name} cannot be loaded: {error}") from error
    if not tokenizer.is_fast:
        raise NotReadyError(f"The tokenizer of {folder.name} does not tell which characters its tokens have.")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return FolderWeights(tokenizer, model.to(device).eval())
