"""Methods of a test's own, and runs to work on."""

from collections.abc import Callable

import pytest

from annotate.models import Dataset
from evaluators.methods import METHODS
from evaluators.methods.base import Judge, Method
from evaluators.models import Run
from evaluators.runs.create import create_run
from tests.factories import make_dataset, make_response


@pytest.fixture
def lab(db: None) -> Dataset:
    """Three responses of two segments each; the second response has something wrong in its first."""
    dataset = make_dataset()
    make_response(dataset)
    make_response(dataset, ["Four is odd: wrong.", "Five is odd."])
    make_response(dataset)
    return dataset


@pytest.fixture
def add_method(monkeypatch: pytest.MonkeyPatch) -> Callable[[Judge], str]:
    """Registers a judge as a method that asks no model; its name."""

    def add(judge: Judge) -> str:
        method = Method(name="tried", title="Tried", description="Tried.", build=lambda parameters: judge)
        monkeypatch.setitem(METHODS, "tried", method)
        return "tried"

    return add


@pytest.fixture
def run(lab: Dataset) -> Run:
    """A queued run of a method that says "supported" to everything."""
    return create_run(lab, "always-supported").run
