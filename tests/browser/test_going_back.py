"""Going back after a log-out, on a machine that somebody else uses next."""

import shutil

from playwright.sync_api import Browser, expect

from tests.browser.conftest import CHROMIUM_FLAGS, Site

MAKE = """
from tests.factories import make_dataset, make_person
dataset = make_dataset("Nobody else reads this")
make_person("ada", dataset, "adjudicator")
print(dataset.pk)
"""


def test_who_goes_back_after_a_log_out_has_to_log_in(site: Site, browser: Browser) -> None:
    """In a browser that keeps pages for going back as people's browsers do: Playwright's own does not."""
    dataset = int(site.run_script(MAKE).split()[-1])
    keeps = browser.browser_type.launch(
        executable_path=shutil.which("chromium") or shutil.which("chromium-browser"),
        args=CHROMIUM_FLAGS,
        ignore_default_args=["--disable-back-forward-cache"],
    )
    with keeps:
        page = keeps.new_page(base_url=site.address)
        page.goto("/login/")
        page.get_by_label("Name").fill("ada")
        page.get_by_label("Password").fill("ada")
        page.get_by_role("button", name="Log in").click()
        page.goto(f"/datasets/{dataset}/")
        expect(page.get_by_role("heading", name="Nobody else reads this")).to_be_visible()
        page.get_by_role("button", name="Log out").click()
        page.wait_for_url("**/login/**")
        page.evaluate("history.back()")
        page.wait_for_url(f"**/login/?next=/datasets/{dataset}/")
        expect(page.get_by_label("Password")).to_be_visible()
        expect(page.get_by_text("Nobody else reads this")).to_have_count(0)
