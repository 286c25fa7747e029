"""Weights of a language model."""

from pathlib import Path

import pytest

from tests.factor.perplexity.tiny_gpt import make_gpt


@pytest.fixture(scope="session")
def gpt_made(tmp_path_factory, neural) -> Path:
    """A folder of weights with one model, "tiny"."""
    folder = tmp_path_factory.mktemp("weights")
    make_gpt(folder / "tiny")
    return folder


@pytest.fixture
def weights(gpt_made, settings) -> Path:
    """Touchstone's folder of weights, for this test."""
    settings.WEIGHTS_DIR = gpt_made
    return gpt_made
