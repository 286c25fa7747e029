"""The card of a link in the workbench: what came of the page, and whether what is quoted stands in it."""

from playwright.sync_api import Page, expect

from tests.browser.bench import entries, expect_status, make_work, open_work
from tests.browser.conftest import Site
from tests.knowledge.fetching.server import WebServer
from tests.waiting import wait_until

# A page asks again what became of a link after half a minute at the latest.
ASKED_AGAIN = 60_000


def cite(page: Page, elsewhere: WebServer, path: str) -> None:
    """Add the link, and wait for the worker, which may still be starting."""
    page.get_by_label("Reference, by its link").fill(elsewhere.url(path))
    page.get_by_role("button", name="Add", exact=True).click()
    wait_until(
        lambda: any(address == path for address, _ in elsewhere.asked), "the worker asks for the page", seconds=60
    )


def quote(page: Page, text: str) -> None:
    field = page.get_by_label("Exact quote")
    field.fill(text)
    field.blur()


def expect_said(page: Page, text: str) -> None:
    expect(page.locator(".cards .fetched")).to_contain_text(text, timeout=ASKED_AGAIN)


def test_a_page_is_frozen_and_its_quote_looked_up(site: Site, log_in, elsewhere: WebServer) -> None:
    elsewhere.serve("/rivers", "<title>Rivers</title><p>The Danube flows through ten countries.")
    dataset = make_work(site, "frozen pages")
    page = open_work(log_in("ada", "ada"), dataset)
    cite(page, elsewhere, "/rivers")
    expect_said(page, "“Rivers” frozen")
    quote(page, "the danube")
    expect_said(page, "quote not found in it")
    quote(page, "The Danube  flows")
    expect_said(page, "✓ quote found")
    expect_status(page, "Saved")
    assert entries(page)[0]["references"][0]["quote"] == "The Danube  flows"
    page.reload()
    expect_said(page, "✓ quote found")
    with page.expect_popup() as opened:
        page.locator(".cards .fetched a").click()
    expect(opened.value.locator("mark")).to_have_text("The Danube flows")


def test_a_page_that_is_not_reached_says_why(site: Site, log_in, elsewhere: WebServer) -> None:
    dataset = make_work(site, "dead pages")
    page = open_work(log_in("ada", "ada"), dataset)
    cite(page, elsewhere, "/nothing")
    expect_said(page, "not reached: The server answered 404 Not Found.")
