"""Which addresses are walked over."""

import pytest

from tests.sweeps import Share, share_of_addresses


@pytest.fixture
def share(request: pytest.FixtureRequest) -> Share:
    """Of the addresses that are walked over: all of them in five parts."""
    return share_of_addresses(request.config)
