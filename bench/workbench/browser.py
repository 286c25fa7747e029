"""The workbench in a browser: how long from going to the page until it takes the first key."""

import shutil
from dataclasses import dataclass

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from bench.workbench.annotator import Annotator
from bench.workbench.times import Times

ROUNDS = 20
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
# Milliseconds since the navigation began, noted when a key has made the first change, which can be undone.
NOTE = """
new MutationObserver(() => {
  if (!window.accepted && document.querySelector("[data-undo]:enabled")) window.accepted = performance.now();
}).observe(document, { subtree: true, childList: true, attributes: true });
"""


@dataclass(frozen=True)
class FirstKeys:
    """Seconds from the navigation to the first key: with nothing in the browser's cache, and with it filled."""

    first_visit: Times
    later: Times


def first_keys(port: int, person: Annotator) -> FirstKeys | None:
    """Of the page of the person's task at hand; None where there is no Chromium."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        return None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        first = [_first_visit(browser, port, person) for _ in range(ROUNDS)]
        context = _context(browser, port, person)
        page = context.new_page()
        _seconds(page, person.address)
        later = [_seconds(page, person.address) for _ in range(ROUNDS)]
        browser.close()
    return FirstKeys(Times(first, sum(first)), Times(later, sum(later)))


def _first_visit(browser: Browser, port: int, person: Annotator) -> float:
    context = _context(browser, port, person)
    seconds = _seconds(context.new_page(), person.address)
    context.close()
    return seconds


def _context(browser: Browser, port: int, person: Annotator) -> BrowserContext:
    address = f"http://127.0.0.1:{port}"
    context = browser.new_context(base_url=address)
    context.add_cookies([{"name": name, "value": value, "url": address} for name, value in person.cookies.items()])
    context.add_init_script(NOTE)
    return context


def _seconds(page: Page, address: str) -> float:
    """Strikes the key over and over, as one who cannot wait: the first that changes something ends it."""
    page.goto(address, wait_until="commit")
    while not (accepted := page.evaluate("window.accepted")):
        page.keyboard.press("1")
    return float(accepted) / 1000
