"""What a page weighs until it is first painted, everything included, as it goes over the wire."""

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import Site
from tests.browser.demo import logged_in, pages_of

LIMIT = 60 * 1024


def weigh(browser: Browser, site: Site, name: str) -> dict[str, int]:
    """Bytes of each page with an empty cache: the document, styles, scripts and icons, compressed as they are sent."""
    context = logged_in(browser, site, name)
    weights = {}
    for address, path in pages_of(site, name).items():
        page = context.new_page()
        wire = context.new_cdp_session(page)
        wire.send("Network.enable")
        wire.send("Network.setCacheDisabled", {"cacheDisabled": True})
        received: list[int] = []
        wire.on("Network.loadingFinished", lambda event, received=received: received.append(event["encodedDataLength"]))
        page.goto(path, wait_until="load")
        wire.send("Network.disable")  # what was told before its answer is known with it
        weights[address] = round(sum(received))
        page.close()
    context.close()
    return weights


@pytest.mark.parametrize("name", ["ada", "dora"])
def test_no_page_is_heavy(demo: Site, browser: Browser, name: str):
    weights = weigh(browser, demo, name)
    assert weights["home"] > 0
    assert {address: weight for address, weight in weights.items() if weight > LIMIT} == {}
