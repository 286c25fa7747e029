"""Every page of the site can be used by everybody: axe finds nothing, and one always sees where the focus is."""

from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import Site
from tests.browser.demo import logged_in, pages_of

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
WIDE, NARROW = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
# A page is looked at as it is, on a telephone, and in the dark, where only the colours are others.
LOOKS = (
    ("light, wide", "light", WIDE, {}),
    ("light, narrow", "light", NARROW, {}),
    ("dark, wide", "dark", WIDE, {"runOnly": ["color-contrast"]}),
    ("dark, narrow", "dark", NARROW, {"runOnly": ["color-contrast"]}),
)
# Steps of the tabulator on one page.
STEPS = 40
# What has the focus, if nothing is drawn around it or around what it belongs to.
UNSEEN = """() => {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return null;
  const drawn = (each) => {
    const style = getComputedStyle(each);
    return (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none";
  };
  for (let each = focused, up = 0; each && up < 4; each = each.parentElement, up++) if (drawn(each)) return null;
  return focused.outerHTML.slice(0, 160);
}"""


def violations(page: Page, options: dict[str, object]) -> list[str]:
    """What axe finds on the page: the rule, and the element."""
    found = page.evaluate("options => axe.run({resultTypes: ['violations'], ...options})", options)
    return [f"{each['id']}: {node['html'][:160]}" for each in found["violations"] for node in each["nodes"]]


@pytest.mark.parametrize("name", ["ada", "dora"])
def test_axe_finds_nothing(demo: Site, browser: Browser, name: str):
    context = logged_in(browser, demo, name)
    page = context.new_page()
    found = []
    for address, path in pages_of(demo, name).items():
        page.goto(path)
        page.evaluate(AXE)
        for look, scheme, size, options in LOOKS:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.set_viewport_size(size)
            found += [f"{address}, {look}: {wrong}" for wrong in violations(page, options)]
    context.close()
    assert not found, "\n".join(found)


def test_axe_finds_nothing_before_one_has_logged_in(demo: Site, browser: Browser):
    page = browser.new_page(base_url=demo.address)
    page.goto("/login/")
    page.evaluate(AXE)
    assert violations(page, {}) == []
    page.close()


@pytest.mark.parametrize("name", ["ada", "dora"])
def test_the_focus_is_always_seen(demo: Site, browser: Browser, name: str):
    context = logged_in(browser, demo, name)
    page = context.new_page()
    found = {}
    for address, path in pages_of(demo, name).items():
        page.goto(path)
        for _ in range(STEPS):
            page.keyboard.press("Tab")
            unseen = page.evaluate(UNSEEN)
            if unseen is not None:
                found[address] = unseen
    context.close()
    assert found == {}
