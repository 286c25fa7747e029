"""The pictures of README and docs: `make screenshots` starts the demo on a free port and photographs its pages."""

import re
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import CHROMIUM_FLAGS, ROOT, Site
from tests.browser.demo import demo_site, logged_in

IMAGES = ROOT / "docs" / "images"
WIDTH, HEIGHT = 1120, 620
LARGEST = 150_000
FELM, FACTSCORE = "Demo: five domains", "Demo: biographies"


@dataclass(frozen=True)
class Picture:
    """A page of the demo. `path` follows the address of the dataset; `prepare` brings the page into the shown state;
    `height` in pixels."""

    name: str
    person: str
    dataset: str
    path: str
    prepare: Callable[[Page], object] = lambda page: None
    height: int = HEIGHT


def _label_first(page: Page) -> None:
    page.keyboard.press("1")
    page.keyboard.press("n")
    page.get_by_role("radio", name="Knowledge").locator("visible=true").first.check()
    page.get_by_role("textbox", name="Reason").locator("visible=true").first.fill(
        "China has one time zone; the country spans five."
    )
    page.get_by_text(re.compile("^Saved ")).wait_for()
    page.evaluate("scrollTo(0, 0)")


def _scroll_to_case(page: Page) -> None:
    page.evaluate("scrollTo(0, 240)")


def _scroll_to_figures(page: Page) -> None:
    page.locator("h2").first.evaluate("heading => scrollTo(0, heading.offsetTop - 20)")


PICTURES = (
    Picture("label", "ada", FELM, "label/", _label_first),
    Picture("adjudicate", "dora", FELM, "adjudicate/", _scroll_to_case, height=540),
    Picture("agreement", "dora", FACTSCORE, "agreement/"),
    Picture("compare", "dora", FELM, "compare/", _scroll_to_figures),
)


def main() -> int:
    """Write docs/images/*.png; 1 where Chromium is missing or a picture is larger than LARGEST bytes."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        print("Chromium is not installed.", file=sys.stderr)
        return 1
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, demo_site(Path(folder)) as site, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        sizes = {picture.name: photograph(browser, site, picture) for picture in PICTURES}
        browser.close()
    for name, size in sizes.items():
        print(f"docs/images/{name}.png  {size:,} bytes")
    return int(max(sizes.values()) > LARGEST)


def photograph(browser: Browser, site: Site, picture: Picture) -> int:
    """Write the picture; its size in bytes."""
    context = logged_in(browser, site, picture.person)
    page = context.new_page()
    page.set_viewport_size({"width": WIDTH, "height": picture.height})
    page.goto("/")
    page.get_by_role("link", name=picture.dataset, exact=True).first.click()
    page.goto(f"{page.url}{picture.path}")
    picture.prepare(page)
    page.wait_for_load_state("networkidle")
    image = page.screenshot(path=IMAGES / f"{picture.name}.png")
    context.close()
    return len(image)


if __name__ == "__main__":
    sys.exit(main())
