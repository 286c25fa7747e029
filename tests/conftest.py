"""What every test may use."""

import os
from pathlib import Path

import pytest

PUBLISHED = Path(__file__).resolve().parent.parent.parent / "shared" / "data"


@pytest.fixture(scope="session")
def published() -> Path:
    """The folder of the published data sets; a test that needs it skips where it is not there."""
    if not PUBLISHED.is_dir():
        pytest.skip("the published data sets are not at ../shared/data")
    return PUBLISHED


@pytest.fixture(scope="session")
def must_run() -> bool:
    """True where a missing service or browser is a failure, not a skip: in continuous integration."""
    return os.environ.get("TOUCHSTONE_TEST_ALL", "") == "1"
