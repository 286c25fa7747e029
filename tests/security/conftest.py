"""How much of it is tried: `--requests` and `--seed`, which every test of this folder obeys."""

import pytest

from tests.conftest import USUAL_REQUESTS

# Whose pages are opened to find the forms on them: of a superuser, and of an annotator. It takes a minute for each, so
# that each of the two tests which begin so opens those of one, unless more requests are asked for than usual.
SENDERS = ("root", "ada")


def senders_of(config: pytest.Config, place: int) -> tuple[str, ...]:
    """place: 0 or 1, which of the two tests."""
    if config.getoption("--requests") > USUAL_REQUESTS:
        return SENDERS
    return (SENDERS[(config.getoption("--seed") + place) % len(SENDERS)],)


@pytest.fixture
def amount(request: pytest.FixtureRequest) -> int:
    """Requests of a test."""
    return int(request.config.getoption("--requests"))


@pytest.fixture
def seed(request: pytest.FixtureRequest) -> int:
    """Of what is drawn; the same for every run over one commit that does not say otherwise."""
    return int(request.config.getoption("--seed"))
