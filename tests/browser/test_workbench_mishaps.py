"""What goes wrong at the workbench without anybody's network failing for good: keys held down, fields left, time that
ran out. Nothing is done twice, and nothing is lost or said falsely."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.bench import (
    at_her_browser,
    cut_off,
    entries,
    expect_status,
    log_in_again,
    make_work,
    open_work,
    press,
    stop_time,
    write,
)
from tests.browser.conftest import Site

GIVE_BACK = """
from annotate.models import Assignment
Assignment.objects.filter(task__dataset={dataset}).update(state="lapsed", lease_until=None)
"""


@pytest.fixture
def work(site: Site, request: pytest.FixtureRequest) -> int:
    """Ada's dataset of two tasks, named after the test."""
    return make_work(site, request.node.name, tasks=2)


@pytest.fixture
def ada(browser: Browser, site: Site, work: int) -> Iterator[BrowserContext]:
    with at_her_browser(browser, site, height=500) as context:
        yield context


@pytest.fixture
def page(ada: BrowserContext, work: int) -> Page:
    return open_work(ada.new_page(), work)


def hold(page: Page, key: str) -> None:
    """Long enough that it repeats."""
    for _ in range(6):
        page.keyboard.down(key)
    page.keyboard.up(key)


def judge_all(page: Page) -> None:
    press(page, "1", "l", "1", "l", "1")
    expect_status(page, "Saved")


def test_a_key_that_is_held_judges_once(page: Page) -> None:
    hold(page, "1")
    assert [entry["value"] for entry in entries(page)] == ["supported"]
    press(page, "u")
    assert entries(page) == []


def test_held_arrows_go_on(page: Page) -> None:
    hold(page, "ArrowDown")
    expect(page.locator(".unit").last).to_be_focused()


def test_one_press_submits_one_task(page: Page) -> None:
    """Though the next one is complete as well."""
    first = page.url
    judge_all(page)
    skip(page, "Later.")
    page.wait_for_url(lambda url: url != first)
    page.locator("html.scripted").wait_for(state="attached")
    second = page.url
    judge_all(page)
    page.goto(first)
    page.get_by_role("button", name="Reopen").click()
    page.locator("html.scripted").wait_for(state="attached")
    page.keyboard.down("Control")
    page.keyboard.down("Enter")
    page.wait_for_url(second)
    hold(page, "Enter")  # it was not let go
    page.keyboard.up("Control")
    expect(page.locator("[data-done]")).to_have_text("3")
    page.reload()
    expect(page.get_by_text("You submitted this")).to_have_count(0)


def skip(page: Page, reason: str) -> None:
    press(page, "s")
    page.keyboard.type(reason)
    page.get_by_role("button", name="Skip", exact=True).click()


def test_a_link_left_in_its_field_is_added(page: Page, site: Site, work: int) -> None:
    write(page, "f", "https://danube.example/")
    assert [card["url"] for card in entries(page)[0]["references"]] == ["https://danube.example/"]
    judge_all(page)
    press(page, "k", "f")
    page.keyboard.type("https://rhine.example/")
    press(page, "Control+Enter")
    expect(page.locator("#notice")).to_contain_text("Submitted")
    expect_submitted = site.run_script(CITED.format(dataset=work))
    assert "https://danube.example/ https://rhine.example/" in expect_submitted


CITED = """
from annotate.models import ReferenceLink
print(*sorted(ReferenceLink.objects.filter(label__assignment__task__dataset={dataset}).values_list("url", flat=True)))
"""


def test_what_is_no_link_is_said_and_stays(page: Page) -> None:
    write(page, "f", "Encyclopaedia, vol. 3")
    expect_status(page, "Not added: a link begins with")
    assert entries(page) == []
    expect(page.locator("[data-field=link]")).to_have_value("Encyclopaedia, vol. 3")


def test_a_card_is_pasted_as_it_is_by_now(page: Page) -> None:
    write(page, "f", "https://danube.example/")
    page.locator(".here .cards select").select_option("supports")
    press(page, "j", "v")
    assert [[card["stance"] for card in entry["references"]] for entry in entries(page)] == [["supports"], ["supports"]]


def test_who_writes_on_and_on_is_saved_meanwhile(ada: BrowserContext, work: int) -> None:
    page = ada.new_page()
    stop_time(page)
    open_work(page, work)
    press(page, "r")
    for words in ("A sentence", " of some length."):
        with page.expect_response("**/save/"):
            for letter in words:
                page.keyboard.type(letter)
                page.clock.run_for(60)
    page.clock.resume()
    expect_status(page, "Saved")


def test_skipping_without_the_network_keeps_the_reason(page: Page, ada: BrowserContext, site: Site, work: int) -> None:
    ada.set_offline(True)
    skip(page, "Not my field.")
    expect(page.locator("#skip")).to_contain_text("Not skipped: there was no answer")
    expect(page.get_by_label("Reason for the adjudicator")).to_have_value("Not my field.")
    ada.set_offline(False)
    page.get_by_role("button", name="Skip", exact=True).click()
    expect(page.get_by_text("Skipped. Your work is kept")).to_be_visible()


def test_skipping_after_the_session_was_renewed(page: Page, ada: BrowserContext) -> None:
    ada.clear_cookies()
    skip(page, "Not my field.")
    expect(page.locator("#skip")).to_contain_text("Not skipped")
    log_in_again(ada)
    page.get_by_role("button", name="Skip", exact=True).click()
    expect(page.get_by_text("Skipped. Your work is kept")).to_be_visible()


def test_a_reason_for_skipping_outlives_the_tab(page: Page, ada: BrowserContext, work: int) -> None:
    press(page, "s")
    page.keyboard.type("Not my field.")
    page.close()
    again = open_work(ada.new_page(), work)
    press(again, "s")
    expect(again.get_by_label("Reason for the adjudicator")).to_have_value("Not my field.")
    press(again, "Escape")
    judge_all(again)
    press(again, "Control+Enter")
    expect(again.locator("#notice")).to_contain_text("Submitted")
    press(again, "s")
    expect(again.get_by_label("Reason for the adjudicator")).to_have_value("")
    assert again.evaluate("Object.keys(localStorage)") == []


def test_what_another_tab_has_skipped_is_taken_up_from_this_one(page: Page, ada: BrowserContext, work: int) -> None:
    address = page.url
    other = open_work(ada.new_page(), work)
    skip(other, "Not now.")
    expect(other.get_by_text("Skipped. Your work is kept")).to_be_visible()
    write(page, "r", "Written on.")
    with page.expect_event("load"):
        page.get_by_role("button", name="Reopen").click()
    page.locator("html.scripted").wait_for(state="attached")
    assert page.url == address
    assert entries(page)[0]["reason"] == "Written on."


def test_text_that_came_too_late_is_shown(page: Page, ada: BrowserContext, site: Site, work: int) -> None:
    """The place was given to others while the tab was closed."""
    address = page.url
    cut_off(page)
    press(page, "r")
    page.keyboard.type("Typed in a tunnel.")
    page.close()
    site.run_script(GIVE_BACK.format(dataset=work))
    again = ada.new_page()
    again.goto(address)
    section = again.locator("#kept")
    expect(section).to_contain_text("Typed in a tunnel.")
    section.get_by_role("button", name="Discard").click()
    again.reload()
    expect(again.get_by_text("An adjudicator unassigned you from this task")).to_be_visible()
    expect(section).to_be_hidden()


def test_a_submission_without_an_answer_is_not_forgotten(page: Page, ada: BrowserContext) -> None:
    judge_all(page)
    ada.set_offline(True)
    press(page, "Control+Enter")
    expect_status(page, "Offline")
    ada.set_offline(False)
    expect(page.locator("#trouble")).to_contain_text("Not submitted: there was no answer when you did")
    expect_status(page, "Saved, not submitted")
    press(page, "Control+Enter")
    expect(page.locator("#notice")).to_contain_text("Submitted")


def test_why_a_submission_is_refused_comes_into_sight(page: Page) -> None:
    judge_all(page)
    press(page, "d", "d")
    expect(page.get_by_label("Reason for removing")).to_be_in_viewport()
    press(page, "Control+Enter")
    expect(page.get_by_text("Enter a reason for removing the response")).to_be_in_viewport()
    expect_status(page, "Saved, not submitted")


def test_from_any_field_one_comes_back_to_the_unit_in_sight(page: Page) -> None:
    press(page, "c")
    expect(page.locator("[data-comment]")).to_be_in_viewport()
    press(page, "Escape")
    expect(page.locator(".unit.here")).to_be_focused()
    expect(page.locator(".unit.here .text")).to_be_in_viewport()


def test_the_list_of_keys_shows_those_in_force(page: Page) -> None:
    press(page, "?")
    following = page.locator("#keys").get_by_label("Next unit")
    following.focus()
    press(page, "y")
    expect(following).to_have_value("y")
    press(page, "Escape", "?")
    expect(following).to_have_value("j")


def test_precedents_follow_the_judgement(page: Page) -> None:
    press(page, "p")
    expect(page.locator("[data-decisions]")).to_contain_text("Label the unit first")
    press(page, "1")
    expect(page.locator("[data-decisions]")).not_to_contain_text("Label the unit first")


def test_a_text_is_in_the_direction_of_its_words(page: Page) -> None:
    assert page.locator(".unit .text").first.evaluate("text => getComputedStyle(text).unicodeBidi") == "plaintext"
