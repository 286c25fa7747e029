"""The leaderboard on a desk and on a telephone: its columns fit, and the interval is in sight."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.demo import logged_in


@pytest.fixture
def rhea(demo: Site, browser: Browser) -> Iterator[Page]:
    context = logged_in(browser, demo, "rhea")
    page = context.new_page()
    page.goto("/")
    page.get_by_role("link", name="Demo: five domains").first.click()
    page.get_by_role("link", name="Evaluate", exact=True).click()
    page.wait_for_url("**/leaderboard/")
    yield page
    context.close()


def test_the_usual_columns_fit_1280_pixels_and_others_are_chosen(rhea: Page):
    rhea.set_viewport_size({"width": 1280, "height": 800})
    board = rhea.get_by_role("region", name="Leaderboard")

    assert board.evaluate("element => element.scrollWidth <= element.clientWidth")
    rhea.locator("summary", has_text="Columns").first.click()
    rhea.get_by_role("checkbox", name="Tokens").check()
    rhea.get_by_role("checkbox", name="Precision").uncheck()
    rhea.get_by_role("button", name="Show").click()
    rhea.wait_for_url("**column=tokens**")
    expect(board.get_by_role("columnheader", name="Tokens")).to_be_visible()
    expect(board.get_by_role("columnheader", name="Precision")).to_have_count(0)
    board.locator("#sort-f1").click()
    rhea.wait_for_url("**sort=f1**")
    expect(board.get_by_role("columnheader", name="Tokens")).to_be_visible()


def test_rank_figure_and_interval_are_in_sight_at_390_pixels(rhea: Page):
    rhea.set_viewport_size({"width": 390, "height": 800})
    row = rhea.get_by_role("region", name="Leaderboard").get_by_role("row", name="judge with evidence")

    for cell in (row.get_by_role("cell").nth(0), row.get_by_role("cell").nth(1)):
        box = cell.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 390
    expect(row.get_by_role("cell").nth(1)).to_contain_text(" to ")
    assert rhea.evaluate("document.documentElement.scrollWidth") <= 390
