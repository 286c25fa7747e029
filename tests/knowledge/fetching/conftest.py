"""What the tests of fetching share."""

from collections.abc import Iterator

import pytest

from tests.knowledge.fetching.server import WebServer, web_server


@pytest.fixture
def web() -> Iterator[WebServer]:
    with web_server() as server:
        yield server
