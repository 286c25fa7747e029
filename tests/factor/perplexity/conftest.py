"""Weights of a language model."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from llm.weights import PACKAGES
from tests.factor.perplexity.tiny_gpt import make_gpt


@pytest.fixture(scope="session")
def gpt_made(tmp_path_factory, must_run) -> Path:
    """A folder of weights with one model, "tiny"."""
    if not all(find_spec(package) for package in PACKAGES):
        (pytest.fail if must_run else pytest.skip)('the extra "neural" is not installed: make neural')
    folder = tmp_path_factory.mktemp("weights")
    make_gpt(folder / "tiny")
    return folder


@pytest.fixture
def weights(gpt_made, settings) -> Path:
    """Touchstone's folder of weights, for this test."""
    settings.WEIGHTS_DIR = gpt_made
    return gpt_made
