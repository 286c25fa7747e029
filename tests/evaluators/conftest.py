"""Weights for the methods that run a model of their own, and guidelines for those that show them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from annotate.models import Dataset
from annotate.prompt_sets.templates import reading_templates
from tests.evaluators.methods.tiny_model import make_weights
from tests.factor.filtering.tiny_nli import make_nli
from tests.factories import make_dataset


@pytest.fixture(scope="session")
def weights_made(tmp_path_factory, neural) -> Path:
    """A folder of weights with a masked language model, "tiny", and a classifier of pairs, "nli"."""
    folder = tmp_path_factory.mktemp("weights")
    make_weights(folder / "tiny")
    make_nli(folder / "nli")
    return folder


@pytest.fixture
def weights(weights_made, settings) -> Path:
    """Touchstone's folder of weights, for this test."""
    settings.WEIGHTS_DIR = weights_made
    return weights_made


@pytest.fixture
def guidelines(db: None) -> Iterator[Dataset]:
    """A dataset with one version of its guidelines, over which methods are built in this test."""
    dataset = make_dataset("guided")
    dataset.guidelines.create(version=1, text="A year that is wrong is an error.")
    with reading_templates(dataset):
        yield dataset
