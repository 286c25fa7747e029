"""Nothing that was written is lost: network, tab, session and a second page, each lost or there in the middle."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.bench import (
    at_her_browser,
    cut_off,
    entries,
    expect_status,
    log_in_again,
    make_work,
    open_work,
    press,
    stored,
    write,
    write_at_once,
)
from tests.browser.conftest import Site

SAVES = "**/save/"


@pytest.fixture
def work(site: Site, request: pytest.FixtureRequest) -> int:
    """Ada's dataset, named after the test."""
    return make_work(site, request.node.name)


@pytest.fixture
def ada(browser: Browser, site: Site, work: int) -> Iterator[BrowserContext]:
    with at_her_browser(browser, site, height=900) as context:
        yield context


def saved_reasons(site: Site, work: int) -> list[str]:
    return [entry["reason"] for entry in stored(site, work)["draft"].values()]


def test_what_is_typed_offline_is_saved_once_the_network_is_back(ada: BrowserContext, site: Site, work: int) -> None:
    page = open_work(ada.new_page(), work)
    press(page, "n")
    expect_status(page, "Saved")
    ada.set_offline(True)
    write(page, "r", "Typed in a tunnel.")
    expect_status(page, "Offline – kept in this browser")
    press(page, "l", "1")
    ada.set_offline(False)
    expect_status(page, "Saved")
    draft = list(stored(site, work)["draft"].values())
    assert [(entry["value"], entry["reason"]) for entry in draft] == [
        ("not_supported", "Typed in a tunnel."),
        ("supported", ""),
    ]


def test_requests_cut_off_in_the_middle_of_typing_lose_no_key_stroke(
    ada: BrowserContext, site: Site, work: int
) -> None:
    page = ada.new_page()
    cut = iter([True, False, True, True])
    page.route(SAVES, lambda route: route.abort() if next(cut, False) else route.continue_())
    open_work(page, work)
    press(page, "r")
    page.keyboard.type("Every single key stroke of this sentence counts.", delay=60)
    press(page, "Escape")
    expect_status(page, "Saved")
    assert saved_reasons(site, work) == ["Every single key stroke of this sentence counts."]


def lose_an_answer(page: Page) -> None:
    """To the first save of what it opens from here on: the server gets it and writes."""

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route(SAVES, lose, times=1)


def test_an_answer_lost_on_the_way_back_is_no_conflict(ada: BrowserContext, site: Site, work: int) -> None:
    page = ada.new_page()
    lose_an_answer(page)
    open_work(page, work)
    write_at_once(page, "r", "Written once.")
    expect_status(page, "Saved")
    expect(page.get_by_text("This was changed on another page too")).to_have_count(0)
    assert saved_reasons(site, work) == ["Written once."]


def test_who_writes_on_after_a_lost_answer_has_no_conflict_with_themselves(
    ada: BrowserContext, site: Site, work: int
) -> None:
    page = ada.new_page()
    lose_an_answer(page)
    open_work(page, work)
    press(page, "r")
    with page.expect_event("requestfailed"):
        page.keyboard.insert_text("Half")
    page.keyboard.insert_text(" a sentence.")
    press(page, "Escape")
    expect_status(page, "Saved")
    expect(page.get_by_text("This was changed on another page too")).to_have_count(0)
    assert saved_reasons(site, work) == ["Half a sentence."]


def test_what_is_written_while_two_versions_are_compared_is_kept(ada: BrowserContext, site: Site, work: int) -> None:
    """Another tab has judged and taken it back: the versions differ, what they say does not, until somebody writes."""
    page, other = ada.new_page(), open_work(ada.new_page(), work)

    def compare_after_she_wrote(route: Route) -> None:
        write_at_once(page, "r", "Written meanwhile.")
        route.continue_()

    page.route("**/compare/", compare_after_she_wrote, times=1)
    open_work(page, work)
    press(other, "1")
    expect_status(other, "Saved")
    press(other, "0")
    expect_status(other, "Saved")
    page.evaluate("dispatchEvent(new Event('focus'))")
    conflict = page.locator(".conflict")
    expect(conflict).to_contain_text("Written meanwhile.")
    write_at_once(page, "r", "And while both are shown.")
    conflict.get_by_role("button", name="Continue with these").click()
    expect(conflict).to_contain_text("And while both are shown.")
    expect(conflict).to_contain_text("You wrote on while the versions were shown.")
    conflict.get_by_role("button", name="Continue with these").click()
    expect_status(page, "Saved")
    assert saved_reasons(site, work) == ["Written meanwhile.And while both are shown."]


def test_a_tab_that_closes_with_unsaved_text_has_it_when_it_is_opened_again(
    ada: BrowserContext, site: Site, work: int
) -> None:
    close_cut_off(ada, work, "Half a sent")
    assert stored(site, work)["draft"] == {}
    again = open_work(ada.new_page(), work)
    expect(again.locator("#notice")).to_contain_text("Restored from this browser")
    assert entries(again)[0]["reason"] == "Half a sent"
    expect_status(again, "Saved")
    assert saved_reasons(site, work) == ["Half a sent"]
    expect(open_work(ada.new_page(), work).locator("#notice")).to_be_empty()


def test_restored_text_meets_what_was_stored_meanwhile(
    ada: BrowserContext, browser: Browser, site: Site, work: int
) -> None:
    close_cut_off(ada, work, "From the tab that died.")
    elsewhere = browser.new_context(base_url=site.address)
    log_in_again(elsewhere)
    other = open_work(elsewhere.new_page(), work)
    write(other, "r", "From elsewhere.")
    expect_status(other, "Saved")
    elsewhere.close()
    conflict = open_work(ada.new_page(), work).locator(".conflict")
    expect(conflict).to_contain_text("From the tab that died.")
    expect(conflict).to_contain_text("From elsewhere.")
    assert saved_reasons(site, work) == ["From elsewhere."]


def close_cut_off(ada: BrowserContext, work: int, reason: str) -> None:
    """A tab that closes without the network, in the middle of writing."""
    page = open_work(ada.new_page(), work)
    cut_off(page)
    press(page, "r")
    page.keyboard.type(reason)
    page.close()


def test_two_tabs_disagree_and_both_versions_are_shown(ada: BrowserContext, site: Site, work: int) -> None:
    one, two = open_work(ada.new_page(), work), open_work(ada.new_page(), work)
    write(one, "r", "From the first tab.")
    press(one, "n", "l", "1")
    expect_status(one, "Saved")
    write_at_once(two, "r", "From the second tab.")
    conflict = two.locator(".conflict")
    expect(conflict).to_contain_text("From the first tab.")
    expect(conflict).to_contain_text("From the second tab.")
    assert saved_reasons(site, work) == ["From the first tab.", ""]

    # The first unit is disputed, and this page's is kept; the second was judged on the other page only.
    two.get_by_role("button", name="Continue with these").click()
    expect_status(two, "Saved")
    assert [(entry["value"], entry["reason"]) for entry in entries(two)] == [
        ("", "From the second tab."),
        ("supported", ""),
    ]
    assert saved_reasons(site, work) == ["From the second tab.", ""]


def test_a_page_that_was_left_shows_what_is_stored_when_one_comes_back(ada: BrowserContext, work: int) -> None:
    one, two = open_work(ada.new_page(), work), open_work(ada.new_page(), work)
    press(one, "1")
    expect_status(one, "Saved")
    two.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(two.locator(".unit.supported")).to_have_count(1)
    expect(two.locator(".conflict")).to_have_count(0)


def test_who_quotes_goes_on_with_the_same_card_whatever_another_tab_does(ada: BrowserContext, work: int) -> None:
    one = open_work(ada.new_page(), work)
    for url in ("https://danube.example/", "https://rhine.example/"):
        write(one, "f", url)
    expect_status(one, "Saved")
    two = open_work(ada.new_page(), work)
    press(two, "j", "k")
    expect(two.locator(".here .cards li")).to_have_count(2)
    quote = one.locator(".here .cards textarea")
    quote.nth(1).focus()
    two.locator(".here .cards button").first.click()
    expect_status(two, "Saved")
    one.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(quote).to_have_count(1)
    quote.fill("It flows north.")
    expect_status(one, "Saved")
    [card] = entries(one)[0]["references"]
    assert (card["url"], card["quote"]) == ("https://rhine.example/", "It flows north.")


def test_text_at_a_unit_that_is_gone_is_shown(ada: BrowserContext, work: int) -> None:
    page = open_work(ada.new_page(), work)
    page.evaluate(
        """() => {
          const { mirror } = JSON.parse(document.getElementById("page").textContent);
          const entries = { 987654321: { value: "", reason: "Written at what was cut otherwise." } };
          localStorage.setItem(`${mirror}.old`, JSON.stringify({ version: 0, entries, at: 1 }));
        }"""
    )
    page.reload()
    expect(page.locator("#notice")).to_contain_text("Written at what was cut otherwise.")
    press(page, "1")
    expect_status(page, "Saved")


def test_the_stored_version_can_be_taken(ada: BrowserContext, site: Site, work: int) -> None:
    one, two = open_work(ada.new_page(), work), open_work(ada.new_page(), work)
    press(one, "1")
    expect_status(one, "Saved")
    press(two, "n")
    two.get_by_label("Stored version").check()
    two.get_by_role("button", name="Continue with these").click()
    expect_status(two, "Saved")
    expect(two.locator(".unit.supported")).to_have_count(1)
    assert stored(site, work)["draft"] == {
        key: entry for key, entry in stored(site, work)["draft"].items() if entry["value"] == "supported"
    }


def test_a_session_that_ends_in_the_middle_loses_nothing(ada: BrowserContext, site: Site, work: int) -> None:
    page = open_work(ada.new_page(), work)
    press(page, "1")
    expect_status(page, "Saved")
    ada.clear_cookies()
    write(page, "r", "Written while logged out.")
    expect_status(page, "Logged out")
    expect(page.get_by_role("link", name="Log in on a new tab")).to_be_visible()
    log_in_again(ada)
    expect_status(page, "Saved")
    assert saved_reasons(site, work) == ["Written while logged out."]


def test_text_is_in_the_browser_before_it_is_on_the_server(ada: BrowserContext, work: int) -> None:
    page = ada.new_page()
    page.route(SAVES, lambda route: route.abort())
    open_work(page, work)
    press(page, "r", "A")
    assert mirrored(page) == ["A"]
    page.unroute(SAVES)
    expect_status(page, "Saved")
    assert mirrored(page) == []


def mirrored(page: Page) -> list[str]:
    """The reasons that the browser keeps until they are saved."""
    copies: list[str] = page.evaluate("Object.values(localStorage)")
    return [entry["reason"] for each in copies for entry in json.loads(each)["entries"].values()]
