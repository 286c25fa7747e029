"""Labelling by the keyboard alone, to submission; keys that never meet typing; undo and redo; touch; time worked."""

import json
import re
import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.bench import (
    entries,
    expect_status,
    log_in_again,
    make_work,
    open_work,
    press,
    press_foreign,
    stop_time,
    stored,
    write,
)
from tests.browser.conftest import Site

UNITS = "[...document.querySelectorAll('[data-unit]')].map((unit) => unit.dataset.unit)"


@pytest.fixture
def felm(site: Site, log_in, request: pytest.FixtureRequest) -> tuple[Page, int]:
    """Ada's page on a response of three segments, and its dataset."""
    return at_work(site, log_in, request.node.name, "felm")


@pytest.fixture
def factscore(site: Site, log_in, request: pytest.FixtureRequest) -> tuple[Page, int]:
    """Ada's page on two biographies, each of two sentences with two facts and one."""
    return at_work(site, log_in, request.node.name, "factscore")


def at_work(site: Site, log_in, name: str, scheme: str) -> tuple[Page, int]:
    dataset = make_work(site, name, scheme)
    return open_work(log_in("ada", "ada"), dataset), dataset


def test_a_felm_task_by_the_keyboard_alone(felm: tuple[Page, int], site: Site) -> None:
    page, dataset = felm
    press(page, "1", "j", "n", "e", "e")  # the Danube is right; the Rhine an error, of the second type
    write(page, "r", "It flows elsewhere.")
    press(page, "f")
    page.keyboard.type("https://example.org/rhine\n")
    press(page, "Escape", "l", "3", "v", "m")  # irrelevant, with the same card, flagged
    page.locator("[data-verdict]").scroll_into_view_if_needed()  # keys act on what is in view
    press(page, "d", "d")  # keep, and again: remove, which asks for a reason
    page.keyboard.type("About rivers only.")
    press(page, "Escape")
    write(page, "c", "An odd prompt.")
    press(page, "Control+Enter")
    page.wait_for_url("**/label/")
    assert stored(site, dataset) | {"draft": {}, "on_page": []} == {
        "state": "submitted",
        "draft": {},
        "on_page": [],
        "comment": "An odd prompt.",
        "labels": [
            ["The Danube flows.", "supported", "", "", "", [], False],
            [
                "The Rhine does too.",
                "not_supported",
                "reasoning",
                "",
                "It flows elsewhere.",
                ["https://example.org/rhine"],
                False,
            ],
            ["So do all rivers.", "irrelevant", "irrelevant", "", "", ["https://example.org/rhine"], True],
        ],
        "edits": [],
        "verdicts": [[False, "About rivers only."]],
    }


def test_a_submission_is_answered_with_the_next_task(site: Site, log_in, request: pytest.FixtureRequest) -> None:
    dataset = make_work(site, request.node.name, tasks=2)
    page = open_work(log_in("ada", "ada"), dataset)
    first = page.url
    loaded = page.evaluate("window.loaded = performance.timeOrigin")
    press(page, "1", "l", "1", "l", "n", "Control+Enter")
    page.wait_for_url(lambda url: url != first)
    second = page.url
    expect(page.get_by_role("status").filter(has_text="Submitted. This is the next task")).to_be_visible()
    expect(page.get_by_text("1 of my 2 tasks submitted")).to_be_visible()
    assert page.evaluate("window.loaded") == loaded, "the page was loaded, though the answer had brought it"
    press(page, "1", "m", "l")  # once: of a key that two pages heed the second press would take the flag back
    assert entries(page)[0]["flagged"]
    write(page, "r", "Does it?")
    expect_status(page, "Saved")
    assert set(stored(site, dataset)["on_page"]) == set(page.evaluate(UNITS)[:2])
    page.go_back(wait_until="load")
    expect(page.get_by_text("You submitted this")).to_be_visible()
    page.wait_for_load_state("load")  # of the page that came in this one's place: its script heeds the way forward
    assert page.url == first
    page.go_forward(wait_until="load")
    assert page.url == second
    expect(page.locator("[data-field=reason]")).to_have_value("Does it?")
    press(page, "1", "l", "1", "Control+Enter")
    page.wait_for_url("**/label/")
    assert stored(site, dataset)["state"] == "submitted"


def test_a_factscore_task_by_the_keyboard_alone(factscore: tuple[Page, int], site: Site) -> None:
    page, dataset = factscore
    press(page, "1", "j", "n", "x")  # "Ada is in London." is not supported: the sentence loses it
    page.keyboard.press("Control+A")
    page.keyboard.type("Ada sings.")
    press(page, "Escape")
    expect(page.locator(".diff")).to_have_text("Ada sings in London. sings.")
    press(page, "l", "3", "h")  # irrelevant: it hangs on that
    press(page, "l", "w")  # the second biography's first sentence as a whole
    press(page, "l", "3", "o")
    press(page, "Control+Enter")
    page.wait_for_url("**/label/")
    labels = stored(site, dataset)
    assert [label[:2] + label[3:4] for label in labels["labels"]] == [
        ["Ada sings.", "supported", ""],
        ["Ada is in London.", "not_supported", ""],
        ["Ada is old.", "irrelevant", "hangs_on"],
        ["Ada sings in London.", "irrelevant", ""],
        ["Ada is old.", "irrelevant", "unrelated"],
    ]
    assert labels["edits"] == [["Ada sings in London.", "Ada sings."]]


def test_what_is_added_to_a_sentence_is_pointed_out(factscore: tuple[Page, int]) -> None:
    page, _ = factscore
    press(page, "x", "Home")
    page.keyboard.type("Clearly ")
    expect(page.locator(".diff .added")).to_contain_text("Added, and correcting nothing: “Clearly”")


def test_a_task_is_not_submitted_while_something_is_open(felm: tuple[Page, int]) -> None:
    page, _ = felm
    press(page, "1", "Control+Enter")
    expect_status(page, "Not submitted: 2 still open · Saved")
    expect(page.locator(".unit.here .text")).to_have_text("The Rhine does too.")
    press(page, "1")
    expect(page.locator("[data-status]")).to_have_text(re.compile("^Saved"))


def test_keys_are_never_active_while_somebody_writes(felm: tuple[Page, int]) -> None:
    page, _ = felm
    letters = "123 nujkemdgcsxvb?/U"
    write(page, "r", letters)
    write(page, "c", letters)
    press(page, "f")
    page.keyboard.type(letters)
    press(page, "Escape")
    assert entries(page) == [
        {
            "value": "",
            "error_type": "",
            "reason": letters,
            "references": [],
            "irrelevance": "",
            "flagged": False,
        },
        {"text": letters},
    ]
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.locator(".unit.here .text")).to_have_text("The Danube flows.")


def test_keys_are_never_active_while_something_is_composed(felm: tuple[Page, int]) -> None:
    page, _ = felm
    composing = "new KeyboardEvent('keydown', {key: '1', bubbles: true, isComposing: true})"
    page.evaluate(f"document.activeElement.dispatchEvent({composing})")
    assert entries(page) == []


def test_the_place_of_a_key_counts_where_its_letter_means_nothing(felm: tuple[Page, int]) -> None:
    page, _ = felm
    press_foreign(page, ("&", "Digit1"), ("о", "KeyJ"), ("т", "KeyN"), ("Process", "KeyL"), ("３", "Digit3"))
    values = ["supported", "not_supported", "irrelevant"]
    assert [entry["value"] for entry in entries(page)] == values
    press_foreign(page, ("ArrowUp", "ArrowUp"), ("M", "KeyM"))  # by Caps Lock
    assert [entry["flagged"] for entry in entries(page)] == [False, True, False]
    write(page, "r", "")
    press(page, "r")
    press_foreign(page, ("&", "Digit1"), ("т", "KeyN"))
    assert [entry["value"] for entry in entries(page)] == values


def test_undo_and_redo_go_across_items(felm: tuple[Page, int]) -> None:
    page, _ = felm
    press(page, "1", "j", "n")
    write(page, "r", "Two words.")
    press(page, "d")
    after = entries(page)
    press(page, "u", "u")  # the verdict; the reason in one piece
    assert [entry["reason"] for entry in entries(page)] == ["", ""]
    press(page, "Control+z", "Control+z")
    assert entries(page) == []
    expect(page.locator(".unit.here .text")).to_have_text("The Danube flows.")
    press(page, "U", "U", "Control+Shift+Z", "Control+Shift+Z")
    assert entries(page) == after
    expect(page.get_by_role("button", name="Redo")).to_be_disabled()


def test_undo_brings_back_a_corrected_sentence(factscore: tuple[Page, int]) -> None:
    page, _ = factscore
    press(page, "x", "Control+A", "Delete", "Escape")
    assert entries(page) == [{"text": ""}]
    press(page, "u")
    assert entries(page) == []
    press(page, "x")
    expect(page.locator("[data-field=correction]")).to_have_value("Ada sings in London.")


def test_the_keyboard_is_mapped_anew(felm: tuple[Page, int]) -> None:
    page, _ = felm
    map_supported(page, "z")
    press(page, "Escape", "1")
    assert entries(page) == []
    press(page, "z")
    assert [entry["value"] for entry in entries(page)] == ["supported"]
    map_supported(page, "1")  # Ada's keyboard is the same in all tests


def test_a_judgement_leads_on_to_the_next_open_unit_where_nothing_else_is_asked(
    felm: tuple[Page, int], site: Site
) -> None:
    page, dataset = felm
    after_a_judgement(page, "go on to the next open unit")
    press(page, "Escape", "1", "n", "3", "k", "k", "3")  # all three, and then the first anew, which leads nowhere
    assert [entry["value"] for entry in entries(page)] == ["irrelevant", "not_supported", "irrelevant"]
    expect(page.locator("[data-unit]").first).to_have_class(re.compile(r"\bhere\b"))
    expect_status(page, "Saved")
    site.run_script(f"from annotate.models import *; Dataset.objects.filter(pk={dataset}).update(type_required=True)")
    open_work(page, dataset)
    press(page, "1", "n")  # the second is the one that is open: an error needs a type now
    expect(page.locator("[data-unit]").nth(1)).to_have_class(re.compile(r"\bhere\b"))
    after_a_judgement(page, "stay at the unit")  # Ada stays in all other tests


def test_a_second_press_of_a_key_takes_nothing_back(felm: tuple[Page, int]) -> None:
    page, _ = felm
    press(page, "1", "1")
    assert [entry["value"] for entry in entries(page)] == ["supported"]
    expect(page.locator("[data-status]")).to_contain_text("Judged so already")
    press(page, "0")
    assert entries(page) == []
    press(page, "u")
    assert [entry["value"] for entry in entries(page)] == ["supported"]


def after_a_judgement(page: Page, words: str) -> None:
    press(page, "?")
    page.get_by_label("After a judgement by key").select_option(label=words)
    page.locator("#keys").get_by_role("button", name="Save").click()
    expect(page.locator("#keys")).to_contain_text("Saved.")


def map_supported(page: Page, key: str) -> None:
    press(page, "?")
    keys = page.locator("#keys")
    expect(keys).not_to_contain_text("Saved.")  # of the last time
    keys.get_by_label("Supported", exact=True).focus()
    press(page, key)
    keys.get_by_role("button", name="Save").click()
    expect(keys).to_contain_text("Saved.")


def test_guidelines_open_beside_the_work(felm: tuple[Page, int]) -> None:
    page, _ = felm
    press(page, "g")
    expect(page.get_by_text("Look it up.")).to_be_visible()
    press(page, "g")
    expect(page.get_by_text("Look it up.")).to_be_hidden()


def test_a_task_is_skipped_and_taken_up_again(felm: tuple[Page, int], site: Site) -> None:
    page, dataset = felm
    press(page, "1", "s")
    page.keyboard.type("Not my field.")
    page.get_by_role("button", name="Skip", exact=True).click()
    page.get_by_role("link", name="Reopen").click()
    expect(page.get_by_text("You skipped this task: Not my field.")).to_be_visible()
    page.get_by_role("button", name="Reopen").click()
    page.locator("html.scripted").wait_for(state="attached")  # what one only reads shows the same units
    expect(page.locator(".unit.supported")).to_have_count(1)
    assert stored(site, dataset)["state"] == "open"


def test_a_card_can_be_added_from_beside_and_its_stance_said(felm: tuple[Page, int]) -> None:
    page, _ = felm
    added = {"url": "https://a.example", "quote": "It flows.", "stance": "supports", "title": "Danube"}
    assert page.evaluate("(card) => workbench.addCard(card)", added)
    assert not page.evaluate("(card) => workbench.addCard(card)", added)  # it is there already
    card = page.locator(".unit.here .cards li")
    expect(card).to_contain_text("It flows.")
    card.get_by_role("combobox").select_option("refutes")
    assert [each["stance"] for each in entries(page)[0]["references"]] == ["refutes"]
    card.get_by_role("button", name="Remove this reference").press("Enter")
    expect(card).to_have_count(0)
    press(page, "v")
    expect(card).to_have_count(1)
    press(page, "b")
    expect(card).to_have_count(0)


def test_time_counts_while_something_is_done(site: Site, log_in, request: pytest.FixtureRequest) -> None:
    """Of three minutes in sight the first is counted: nothing was done after the opening."""
    dataset = make_work(site, request.node.name)
    page = log_in("ada", "ada")
    stop_time(page)
    open_work(page, dataset)
    reported: list[list[list[int]]] = []
    page.on(
        "request", lambda sent: sent.method == "POST" and reported.append(json.loads(sent.post_data or "{}")["worked"])
    )
    page.clock.run_for(180_000)
    press(page, "1")
    page.clock.run_for(2_000)
    expect_status(page, "Saved")
    (minute,) = reported[0]
    assert minute[1] - minute[0] == 60_000


def test_time_is_counted_while_somebody_types(site: Site, log_in, request: pytest.FixtureRequest) -> None:
    """Saves come more often than once a second."""
    dataset = make_work(site, request.node.name)
    page = log_in("ada", "ada")
    open_work(page, dataset)
    press(page, "2")
    reason = page.locator(".unit.here").get_by_role("textbox", name="Reason")
    begun = time.monotonic()
    for letter in "It flows elsewhere.":
        reason.press_sequentially(letter)
        page.wait_for_timeout(200)
    typed = time.monotonic() - begun
    expect_status(page, "Saved")
    script = "from annotate.models import Assignment; print(Assignment.objects.get(task__dataset={}).active_seconds)"
    assert typed - 1.5 <= int(site.run_script(script.format(dataset)).split()[-1])


def test_by_touch_on_a_phone(site: Site, browser, request: pytest.FixtureRequest) -> None:
    dataset = make_work(site, request.node.name)
    context = browser.new_context(base_url=site.address, viewport={"width": 390, "height": 844}, has_touch=True)
    page = log_in_again(context)
    open_work(page, dataset)
    for unit, word in zip(page.locator(".unit").all(), ("Supported", "Error", "Irrelevant"), strict=True):
        choice = unit.locator(".judge").get_by_role("radio", name=word)
        choice.tap()
        expect(choice).to_be_checked()  # a tap clicks when the finger is gone; then the notes move
    rhine = page.locator(".unit").nth(1)
    rhine.get_by_text("The Rhine does too.").tap()
    rhine.get_by_role("textbox", name="Reason").fill("It flows elsewhere.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("button", name="Guidelines").tap()
    expect(page.get_by_text("Look it up.")).to_be_in_viewport()
    page.get_by_role("button", name="Back to the unit").last.tap()
    expect(page.get_by_text("Look it up.")).to_be_hidden()
    expect(page.locator(".unit.here .text")).to_be_in_viewport()
    page.get_by_role("button", name="Submit").tap()
    page.wait_for_url("**/label/")
    assert [label[1] for label in stored(site, dataset)["labels"]] == ["supported", "not_supported", "irrelevant"]
    context.close()


def test_a_key_shows_the_raw_texts_and_hides_them(site: Site, log_in) -> None:
    dataset = make_work(site, "raw texts")
    site.run_script(
        "from annotate.models import Segment\n"
        f"Segment.objects.filter(response__dataset={dataset}, position=0).update(text='The **Danube** flows.')"
    )
    page = open_work(log_in("ada", "ada"), dataset)
    first = page.locator("[data-unit]").first
    expect(first.locator("strong")).to_have_text("Danube")
    press(page, "i", "1")
    expect(first.get_by_text("The **Danube** flows.")).to_be_visible()
    expect(first.locator("strong")).to_be_hidden()
    press(page, "i")
    expect(first.locator("strong")).to_be_visible()
    assert [each["value"] for each in entries(page)] == ["supported"]


def test_a_unit_is_marked_by_a_key_and_unmarked_by_the_same(felm: tuple[Page, int], site: Site) -> None:
    page, dataset = felm
    unit = page.locator(".unit.here")
    press(page, "y")
    expect(unit.locator(".said")).to_have_text("✂ Cut wrongly")
    unit.get_by_label("Note to the adjudicator").fill("Two claims.")
    press(page, "Escape")
    expect(unit.locator(".said")).to_have_text("✂ Cut wrongly: Two claims.")
    assert entries(page)[0] == {
        "value": "",
        "error_type": "",
        "reason": "",
        "references": [],
        "irrelevance": "",
        "flagged": False,
        "mark": "cut",
        "mark_note": "Two claims.",
    }
    press(page, "q")
    expect(unit.locator(".said")).to_have_text("✂ No claim here: Two claims.")
    expect_status(page, "Saved")
    assert [entry["mark"] for entry in stored(site, dataset)["draft"].values()] == ["no_claim"]
    press(page, "q")
    expect(unit.locator(".said")).to_have_text("")
