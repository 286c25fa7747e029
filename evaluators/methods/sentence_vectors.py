"""One vector a text, from a sentence-embedding model on this machine (FActScore table 13: dense retrieval)."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from evaluators.methods.base import NotReadyError
from evaluators.methods.neural import Encoder, Vectors, find_weights, load_encoder

# What a folder written by sentence-transformers may list: angles are the same with or without normalization.
MODULES = {"Transformer", "Pooling", "Normalize"}


def find_sentence_weights(name: str, parameter: str) -> Path:
    """The folder of this name in WEIGHTS_DIR. Raises NotReadyError where there is none, or its model makes a text's
    vector otherwise than as the mean of its tokens'."""
    folder = find_weights(name, parameter)
    listed = folder / "modules.json"
    if listed.is_file():
        for module in json.loads(listed.read_text(encoding="utf-8")):
            kind = module["type"].rpartition(".")[2]
            if kind not in MODULES or (kind == "Pooling" and not _is_mean(folder / module["path"] / "config.json")):
                raise NotReadyError(f"{parameter} is {name!r}; its {kind} layer is not one that Touchstone applies.")
    return folder


def _is_mean(config: Path) -> bool:
    pooling = json.loads(config.read_text(encoding="utf-8"))
    return {key for key, on in pooling.items() if key.startswith("pooling_mode_") and on} == {
        "pooling_mode_mean_tokens"
    }


def embed(folder: Path, texts: Sequence[str]) -> list[list[float]]:
    """The mean of the vectors of a text's tokens, those that the model adds among them; of a text longer than the
    model takes the mean over all its pieces. Raises NotReadyError where the weights cannot be loaded."""
    encoder = load_encoder(folder)
    return [_mean(encoder, text) for text in texts]


def _mean(encoder: Encoder, text: str) -> list[float]:
    states: list[Vectors] = list(encoder.encode([piece.ids for piece in encoder.tokenize(text)]))
    mean: list[float] = np.concatenate(states).mean(axis=0, dtype=np.float64).tolist()
    return mean
