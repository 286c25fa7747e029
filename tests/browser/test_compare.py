"""Who is better at science, and is it sure? Answered from the page, as somebody new to it would."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Site
from tests.browser.demo import PASSWORD, logged_in


@pytest.fixture
def rhea(demo: Site, browser: Browser) -> Iterator[Page]:
    context = logged_in(browser, demo, "rhea")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    yield context.new_page()
    context.close()


def open_comparison(page: Page) -> None:
    page.goto("/")
    page.get_by_role("link", name="Demo: five domains").first.click()
    page.get_by_role("link", name="Evaluate", exact=True).click()
    page.get_by_role("navigation", name="Compare").get_by_role("link", name="Comparison").click()
    page.wait_for_url("**/compare/")  # with its scripts: before, its form and its links are those of any page


def test_one_tick_answers_the_question_and_the_link_keeps_it(rhea: Page):
    open_comparison(rhea)
    rhea.get_by_role("checkbox", name="Science and technology").check()

    answer = rhea.locator(".answer")
    expect(answer).to_contain_text("judge with evidence has the highest F1 in Science and technology")
    expect(answer).to_contain_text("Significant: better than each of the 2 others.")
    expect(rhea).to_have_url(re.compile("slice=science"))
    rhea.reload()
    expect(answer).to_contain_text("in Science and technology")
    expect(rhea.get_by_role("checkbox", name="Science and technology")).to_be_checked()


def test_a_figure_leads_to_the_units_behind_it(rhea: Page):
    open_comparison(rhea)
    rhea.get_by_role("region", name="F1 by slice").get_by_role("row", name="lexical").get_by_role("link").nth(1).click()
    missed = rhea.locator("#confusion").get_by_role("row", name="Predicted correct").get_by_role("link").first
    count = missed.inner_text()
    missed.click()

    expect(rhea.locator(".lede")).to_contain_text(f"{count} of the segments")
    unit = rhea.locator(".unit-behind").first
    expect(unit.locator("mark").first).to_be_visible()
    unit.locator("summary").first.click()
    for name in ("Gold", "judge from memory", "judge with evidence", "lexical"):
        expect(unit.get_by_role("heading", name=name)).to_be_visible()


def test_a_table_is_copied_as_markdown(rhea: Page):
    open_comparison(rhea)
    rhea.get_by_role("link", name="Markdown").first.click()

    expect(rhea.get_by_text("Copied as Markdown.")).to_be_visible()
    copied = rhea.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("| Rank | Evaluator | F1 |")


def test_without_scripts_the_form_the_table_and_its_charts_are_there(demo: Site, browser: Browser):
    context = browser.new_context(base_url=demo.address, java_script_enabled=False)
    page = context.new_page()
    page.goto("/login/?next=/")
    page.get_by_label("Name").fill("rhea")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()
    open_comparison(page)
    page.get_by_role("checkbox", name="Science and technology").check()
    page.get_by_role("button", name="Show").click()

    expect(page.locator(".answer")).to_contain_text("in Science and technology")
    drawing = page.get_by_role("img", name="A dot on its 95 % interval for each evaluator.")
    expect(drawing).to_be_visible()
    assert page.request.get(str(drawing.get_attribute("src"))).status == 200
    page.get_by_role("link", name="LaTeX").first.click()
    expect(page.locator("body")).to_contain_text("\\begin{tabular}")
    context.close()


def test_ten_units_are_in_sight_at_once(rhea: Page):
    open_comparison(rhea)
    rhea.goto(f"{rhea.url.split('?')[0]}units/?of=lexical")
    units = rhea.locator(".unit-behind")

    expect(units).to_have_count(10)
    assert rhea.viewport_size == {"width": 1280, "height": 900}
    last = units.last.bounding_box()
    assert last is not None
    assert last["y"] + last["height"] <= 900
