"""Weights for the methods that run a model of their own."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from llm.weights import PACKAGES
from tests.evaluators.methods.tiny_model import make_weights


@pytest.fixture(scope="session")
def weights_made(tmp_path_factory, must_run) -> Path:
    """A folder of weights with one model, "tiny"."""
    if not all(find_spec(package) for package in PACKAGES):
        (pytest.fail if must_run else pytest.skip)('the extra "neural" is not installed: make neural')
    folder = tmp_path_factory.mktemp("weights")
    make_weights(folder / "tiny")
    return folder


@pytest.fixture
def weights(weights_made, settings) -> Path:
    """Touchstone's folder of weights, for this test."""
    settings.WEIGHTS_DIR = weights_made
    return weights_made
