"""Every page of the site is light, and everybody can use it: axe finds nothing, the focus is always seen, no line
begins with the question mark of a heading, and nothing is wider than its window.

Weight is what goes over the wire until a page is first painted, everything included, with nothing cached."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.conftest import Site
from tests.browser.demo import logged_in, pages_of
from tests.sweeps import WHOLE, Share

LIMIT = 60 * 1024  # bytes
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
WIDE, NARROW = ViewportSize(width=1280, height=900), ViewportSize(width=390, height=844)
# A page is looked at as it is, on a telephone, and in the dark, where only the colours are others.
CONTRAST = {"runOnly": ["color-contrast"]}
Look = tuple[str, Literal["light", "dark"], ViewportSize, dict[str, Any]]
LOOKS: tuple[Look, ...] = (
    ("light, wide", "light", WIDE, {}),
    ("dark, wide", "dark", WIDE, CONTRAST),
    ("dark, narrow", "dark", NARROW, CONTRAST),
    ("light, narrow", "light", NARROW, {}),
)
PAGES_ONE_OF = 3
# Steps of the tabulator on one page, at most; fewer where they have come round.
STEPS, AT_ONCE = 40, 10
# Notes what gets the focus and has nothing drawn around it, nor around what it belongs to; and when it comes round.
WATCH = """() => {
  const drawn = (each) => {
    const style = getComputedStyle(each);
    return (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
  };
  const been = new Set();
  window.watched = { unseen: [], round: false };
  document.addEventListener("focusin", ({ target }) => {
    watched.round ||= been.has(target);
    been.add(target);
    for (let each = target, up = 0; each && up < 4; each = each.parentElement, up++) if (drawn(each)) return;
    watched.unseen.push(target.outerHTML.slice(0, 160));
  });
}"""

# Headings whose question mark begins a line.
MARKS_ALONE = """[...document.querySelectorAll("h1 > a.docs, h2 > a.docs, h3 > a.docs")].filter((mark) => {
  const before = document.createRange();
  before.selectNodeContents(mark.parentElement);
  before.setEndBefore(mark);
  const lines = [...before.getClientRects()];
  return lines.length && mark.getClientRects()[0].top >= lines.at(-1).bottom;
}).map((mark) => mark.parentElement.textContent.trim())"""

# What a page lets out of its window: all but what scrolls in a part of its own.
TOO_WIDE = """() => {
  const width = document.documentElement.clientWidth;
  const parts = (each) => { const all = []; while ((each = each.parentElement)) all.push(each); return all; };
  return [...document.querySelectorAll("body *")].filter((each) => {
    const { left, right, width: own } = each.getBoundingClientRect();
    return own && each.checkVisibility() && right > width + 1 && left > -width
      && !parts(each).some((part) => getComputedStyle(part).overflowX !== "visible");
  }).map((each) => each.outerHTML.slice(0, 120));
}"""


def wait_until_whole(page: Page) -> None:
    """With what the page asks for as it opens, and with the focus where it puts it: that comes with a frame."""
    expect(page.locator(".htmx-request, .htmx-settling")).to_have_count(0)
    page.evaluate("new Promise(requestAnimationFrame)")


class Scale:
    """Weighs what one page loads."""

    def __init__(self, page: Page) -> None:
        self._wire = page.context.new_cdp_session(page)
        self._wire.send("Network.enable")
        self._wire.send("Network.setCacheDisabled", {"cacheDisabled": True})
        self._received: list[float] = []
        self._wire.on("Network.loadingFinished", lambda event: self._received.append(event["encodedDataLength"]))

    def open(self, page: Page, path: str) -> int:
        """Bytes of the document, styles, scripts and icons, compressed as they are sent."""
        self._received.clear()
        page.goto(path, wait_until="load")
        self._wire.send("Network.enable")  # what came before its answer is counted
        return round(sum(self._received))


def violations(page: Page, options: dict[str, object]) -> list[str]:
    """What axe finds on the page: the rule, and the element. Style sheets need not be fetched again (`preload`) for the
    rules that are on by default; there is no film and no sound."""
    result = page.evaluate("options => axe.run({resultTypes: ['violations'], preload: false, ...options})", options)
    return [f"{each['id']}: {node['html'][:160]}" for each in result["violations"] for node in each["nodes"]]


def focus_unseen(page: Page) -> list[str]:
    """What the tabulator leads to without one seeing that."""
    page.evaluate(WATCH)
    for _ in range(STEPS // AT_ONCE):
        for _ in range(AT_ONCE):
            page.keyboard.press("Tab")
        if page.evaluate("watched.round"):
            break
    unseen: list[str] = page.evaluate("watched.unseen")
    return unseen


def wrong_in_any_look(page: Page, looks: Iterable[Look] = LOOKS) -> list[str]:
    page.evaluate(AXE)
    faults = []
    for look, scheme, size, options in looks:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_viewport_size(size)
        faults += [f"{look}: {wrong}" for wrong in violations(page, options)]
        faults += [f"{look}, wider than the window: {wide}" for wide in page.evaluate(TOO_WIDE)]
        faults += [f"{look}, a question mark alone on its line: {heading}" for heading in page.evaluate(MARKS_ALONE)]
    return faults


@pytest.mark.parametrize("name", ["ada", "dora"])
def test_every_page_is_light_and_can_be_used_by_everybody(
    demo: Site, browser: Browser, name: str, request: pytest.FixtureRequest
):
    """Of the pages every third one is opened, for opening them takes the time, and has one of the looks in turn, each
    page the next one; with `--whole` each has all."""
    share = WHOLE if request.config.getoption("whole") else Share(PAGES_ONE_OF, request.config.getoption("part"))
    context = logged_in(browser, demo, name)
    page = context.new_page()
    scale = Scale(page)
    faults = []
    for place, (address, path) in enumerate(pages_of(demo, name).items()):
        if not share.takes(place):
            continue
        looks = LOOKS if share is WHOLE else (LOOKS[(share.part + place) // PAGES_ONE_OF % len(LOOKS)],)
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        page.set_viewport_size(WIDE)
        weight = scale.open(page, path)
        assert weight > 0
        if weight > LIMIT:
            faults.append(f"{address} weighs {weight} bytes")
        wait_until_whole(page)
        faults += [f"{address}, the focus is not seen: {unseen}" for unseen in focus_unseen(page)]
        faults += [f"{address}, {wrong}" for wrong in wrong_in_any_look(page, looks)]
    context.close()
    assert not faults, "\n".join(faults)


def test_axe_finds_nothing_before_one_has_logged_in(demo: Site, browser: Browser):
    page = browser.new_page(base_url=demo.address)
    page.goto("/login/")
    wait_until_whole(page)
    assert wrong_in_any_look(page) == []
    page.close()
