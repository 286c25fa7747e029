"""One vector a text, from a sentence-embedding model on this machine (FActScore table 13: dense retrieval)."""

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluators.methods.neural import MODELS_KEPT, Encoder, load_encoder
from llm.weights import NotReadyError, find_weights

Matrix = NDArray[np.float64]
Layer = dict[str, str]
# Layers of a folder written by sentence-transformers: angles are the same with or without normalization.
MEAN_OF_TOKENS, LINEAR, WITHOUT_EFFECT = "Pooling", "Dense", {"Transformer", "Normalize"}


def find_sentence_weights(name: str, parameter: str) -> Path:
    """The folder of this name in WEIGHTS_DIR. Raises NotReadyError where there is none, or its model makes the vector
    of a text otherwise than as the mean of its tokens', sent through linear layers."""
    folder = find_weights(name, parameter)
    for layer in _layers(folder):
        if not _is_applied(layer, folder):
            raise NotReadyError(
                f"{parameter} is {name!r}; its {_kind(layer)} layer is not one that Touchstone applies."
            )
    return folder


def embed(folder: Path, texts: Sequence[str]) -> list[list[float]]:
    """The mean of the vectors of a text's tokens, those that the model adds among them, sent through the folder's
    linear layers; of a text longer than the model takes the mean over all its pieces. Raises NotReadyError where the
    weights cannot be loaded."""
    encoder, linear = load_encoder(folder), _load_linear(folder)
    vectors: list[list[float]] = []
    for text in texts:
        vector = _mean(encoder, text)
        for weight, bias in linear:
            vector = weight @ vector + bias
        vectors.append(vector.tolist())
    return vectors


def _mean(encoder: Encoder, text: str) -> Matrix:
    states = np.concatenate(list(encoder.encode([piece.ids for piece in encoder.tokenize(text)])))
    mean: Matrix = states.mean(axis=0, dtype=np.float64)
    return mean


@lru_cache(maxsize=MODELS_KEPT)
def _load_linear(folder: Path) -> list[tuple[Matrix, Matrix]]:
    """Weights and biases of the folder's linear layers in order; of none in a plain folder of transformers."""
    return [_read_linear(folder / layer["path"]) for layer in _layers(folder) if _kind(layer) == LINEAR]


def _read_linear(folder: Path) -> tuple[Matrix, Matrix]:
    import torch
    from safetensors.torch import load_file

    safe = folder / "model.safetensors"
    read = load_file(safe) if safe.is_file() else torch.load(folder / "pytorch_model.bin", weights_only=True)
    weight: Matrix = read["linear.weight"].double().numpy()
    return weight, read["linear.bias"].double().numpy() if "linear.bias" in read else np.zeros(len(weight))


def _layers(folder: Path) -> list[Layer]:
    listed = folder / "modules.json"
    return json.loads(listed.read_text(encoding="utf-8")) if listed.is_file() else []


def _kind(layer: Layer) -> str:
    return layer["type"].rpartition(".")[2]


def _is_applied(layer: Layer, folder: Path) -> bool:
    kind = _kind(layer)
    if kind not in (MEAN_OF_TOKENS, LINEAR):
        return kind in WITHOUT_EFFECT
    config: dict[str, Any] = json.loads((folder / layer["path"] / "config.json").read_text(encoding="utf-8"))
    if kind == LINEAR:
        return bool(config["activation_function"].endswith(".Identity"))
    return {key for key, on in config.items() if key.startswith("pooling_mode_") and on} == {"pooling_mode_mean_tokens"}
