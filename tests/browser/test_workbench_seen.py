"""What is seen at the workbench: changes by key, new guidelines, what an error needs, and the end of a role."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.bench import at_her_browser, entries, expect_status, make_work, open_work, press, write
from tests.browser.conftest import Site

NEWER = """
from annotate.models import Guideline
Guideline.objects.create(dataset_id={dataset}, version=2, text="Look it up twice.")
"""
SHOWN = """
import json
from annotate.models import Label
print("shown", json.dumps(sorted({{label.guideline.version for label in Label.objects.filter(
    assignment__task__dataset={dataset})}})))
"""
REQUIRE = """
from annotate.models import Dataset
Dataset.objects.filter(pk={dataset}).update(type_required=True, reason_required=True)
"""
REMOVE = """
from annotate.administration.members import remove_member
from annotate.models import Membership
remove_member(Membership.objects.get(dataset={dataset}, user__username="ada"))
"""


@pytest.fixture
def work(site: Site, request: pytest.FixtureRequest) -> int:
    """A dataset with a response of three segments for Ada."""
    return make_work(site, request.node.name)


@pytest.fixture
def page(log_in, work: int) -> Page:
    return open_work(log_in("ada", "ada"), work)


def values(page: Page) -> list[str]:
    return [entry["value"] for entry in entries(page) if "value" in entry]


def test_keys_rest_while_a_button_has_the_focus(page: Page) -> None:
    add = page.get_by_role("button", name="Add", exact=True)
    add.focus()
    page.keyboard.type("nd1se?a")
    assert entries(page) == []
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect_status(page, "Keys rest on a button or link: Esc leads back to the unit")
    press(page, "Escape", "1")
    assert values(page) == ["supported"]


def test_a_click_on_a_button_leaves_the_keys_active(page: Page) -> None:
    press(page, "1")
    page.get_by_role("button", name="Undo").click()
    press(page, "n")
    assert values(page) == ["not_supported"]


def test_a_key_brings_a_unit_into_view_before_it_changes_it(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 260})
    unit = page.locator(".unit").first
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(unit).not_to_be_in_viewport()
    press(page, "n")
    assert entries(page) == []
    expect(unit).to_be_in_viewport()
    expect_status(page, "Brought into view: press the key again")
    press(page, "n")
    assert values(page) == ["not_supported"]


def test_a_key_brings_the_verdict_into_view_before_it_changes_it(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 260})
    page.evaluate("scrollTo(0, 0)")
    verdict = page.get_by_role("group", name="Keep or remove this response")
    expect(verdict).not_to_be_in_viewport()
    press(page, "d")
    assert entries(page) == []
    expect(verdict).to_be_in_viewport()
    press(page, "d")
    assert entries(page) == [{"keep": True, "reason": ""}]


def test_a_change_by_key_is_highlighted_and_announced(page: Page) -> None:
    press(page, "j", "n")
    expect(page.locator(".changed")).to_contain_text("The Rhine does too.")
    expect(page.locator("[data-announced]")).to_have_text("2. Error")


def test_the_key_of_the_type_leaves_a_supported_unit_as_it_is(page: Page) -> None:
    press(page, "1", "e")
    assert values(page) == ["supported"]
    expect_status(page, "Only an error has a type: mark the unit as an error first")


def test_only_an_error_has_a_row_of_types(page: Page) -> None:
    types = page.get_by_role("group", name="Type of error")
    press(page, "n")
    expect(types).to_be_visible()
    press(page, "1")
    expect(types).to_be_hidden()


def test_the_stance_comes_right_after_a_link(page: Page) -> None:
    press(page, "f")
    page.keyboard.type("https://example.org/danube\n")
    expect(page.locator(".unit.here .cards select")).to_be_focused()
    page.keyboard.type("r")
    press(page, "Escape", "1")
    (judgement,) = entries(page)
    assert ([card["stance"] for card in judgement["references"]], judgement["value"]) == (["refutes"], "supported")


def test_the_rest_is_marked_supported_once_asked_and_undone_by_one_key(page: Page) -> None:
    press(page, "j", "n", "a")
    dialog = page.get_by_role("dialog", name="Mark the rest Supported")
    expect(dialog).to_contain_text("Unlabelled units: 2.")
    dialog.get_by_role("button", name="Mark them Supported").click()
    assert values(page) == ["supported", "not_supported", "supported"]
    press(page, "u")
    assert values(page) == ["not_supported"]


def test_an_error_says_what_it_needs_before_it_is_submitted(site: Site, work: int, page: Page) -> None:
    site.run_script(REQUIRE.format(dataset=work))
    page.reload()
    page.locator("html.scripted").wait_for(state="attached")
    press(page, "n", "j", "1", "j", "1", "Control+Enter")
    expect_status(page, "Not submitted: 1 still open; this error needs a type and a reason")
    expect(page.locator(".unit.here .text")).to_have_text("The Danube flows.")
    expect(page.locator("[data-needs]")).to_have_text("This error needs a type and a reason.")
    press(page, "e")
    write(page, "r", "It is dry.")
    expect(page.locator("[data-needs]")).to_be_hidden()
    press(page, "Control+Enter")
    page.wait_for_url("**/label/")


def test_newer_guidelines_are_announced_and_labels_keep_those_shown(site: Site, work: int, page: Page) -> None:
    press(page, "1")
    expect_status(page, "Saved")
    site.run_script(NEWER.format(dataset=work))
    press(page, "j", "1")
    newer = page.get_by_role("status").filter(has_text="The guidelines changed: version 2 is current")
    expect(newer).to_contain_text("This page and your labels use version 1")
    with page.expect_popup() as opened:
        newer.get_by_role("link", name="See changes").click()
    expect(opened.value.locator("ins")).to_have_text("up twice.")
    opened.value.close()
    page.locator(".unit").last.click()
    press(page, "1", "Control+Enter")
    page.wait_for_url("**/label/")
    printed = site.run_script(SHOWN.format(dataset=work))
    assert json.loads(printed.rpartition("shown")[2]) == [1]


def test_a_draft_of_older_guidelines_is_opened_with_a_word_of_it(site: Site, work: int, page: Page) -> None:
    press(page, "1")
    expect_status(page, "Saved")
    site.run_script(NEWER.format(dataset=work))
    page.reload()
    expect(page.get_by_text("The guidelines changed since you saved this task")).to_be_visible()


def test_a_person_who_was_removed_can_copy_what_they_wrote(site: Site, work: int, browser) -> None:
    with at_her_browser(browser, site, height=900) as context:
        page = open_work(context.new_page(), work)
        write(page, "r", "The Danube is dry.")
        expect_status(page, "Saved")
        site.run_script(REMOVE.format(dataset=work))
        write(page, "c", "Odd rivers.")
        alert = page.get_by_role("alert").filter(has_text="You are no longer an annotator of this dataset")
        expect(alert.get_by_role("listitem")).to_have_text(["The Danube is dry.", "Odd rivers."])
        expect_status(page, "Not saved: kept in this browser")
        page.reload()
        kept = page.get_by_role("alert").filter(has_text="This browser has text that is not saved")
        expect(kept.get_by_role("listitem")).to_have_text(["Odd rivers."])
