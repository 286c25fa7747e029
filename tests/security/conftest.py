"""How much of it is tried: `--requests` and `--seed`, which every test of this folder obeys."""

import pytest


@pytest.fixture
def amount(request: pytest.FixtureRequest) -> int:
    """Requests of a test."""
    return int(request.config.getoption("--requests"))


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """Of what is drawn; the same for every run over one commit that does not say otherwise."""
    return int(request.config.getoption("--seed"))
