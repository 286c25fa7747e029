"""Mistakes tagged, and units looked at again, by the keyboard alone."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.bench import press_foreign
from tests.browser.conftest import Site

SAMPLE = """
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_gold, make_dataset, make_person, make_response
from evaluators.errors.draw import draw_sample
dataset = make_dataset("tagged")
rhea = make_person("rhea", dataset, "researcher")
segments = [make_response(dataset, [f"{n} is odd."]).segments.get() for n in range(3)]
for segment in segments:
    add_gold(segment, "not_supported")
print(draw_sample(add_run(dataset, dict.fromkeys(segments, "S")), None, 3, 7, rhea).pk)
"""
LOOKS = """
from tests.annotate.second_look.work import send_all
from tests.factories import add_gold, make_dataset, make_person, make_response
dataset = make_dataset("looked at")
make_person("lena", dataset)
make_person("dora", dataset, "adjudicator")
segments = [make_response(dataset, [f"{n} is odd."]).segments.get() for n in range(2)]
for segment in segments:
    add_gold(segment, "supported")
send_all(dataset, segments)
print(dataset.pk)
"""


def number(site: Site, code: str) -> str:
    return site.run_script(code).split()[-1]


@pytest.fixture
def tagging(site: Site, log_in) -> Page:
    analysis = number(site, SAMPLE)
    page: Page = log_in("rhea", "rhea")
    page.goto(f"/errors/{analysis}/tag/")
    return page


def at(page: Page, place: int) -> None:
    """There, and the keys with it: they come once the page is loaded."""
    page.wait_for_url(re.compile(rf"\?at={place}$"))


def tagged(page: Page, number: int) -> None:
    expect(page.get_by_text(f"{number} of 3 tagged")).to_be_visible()
    page.wait_for_load_state()


def test_a_digit_tags_and_goes_on_and_keys_move_and_take_back(tagging: Page) -> None:
    page = tagging
    page.keyboard.press("1")
    at(page, 2)
    press_foreign(page, ("о", "KeyJ"))
    at(page, 3)
    page.keyboard.press("ArrowUp")
    at(page, 2)
    page.keyboard.press("n")
    page.keyboard.type("5 passages, none of use")  # no digit acts while one writes
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    tagged(page, 2)
    page.keyboard.press("u")
    tagged(page, 1)
    at(page, 2)
    for cause, number_by_then in (("4", 2), ("5", 3)):
        page.keyboard.press(cause)
        tagged(page, number_by_then)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="You have submitted")).to_be_visible()


# What is typed, the place of the key, its modifiers; what the page takes it for, which knows 1, 2, n, u, U and /.
KEYS = [
    ("n", "KeyL", [], "n"),
    ("&", "Digit1", [], "1"),
    ("é", "Digit2", [], "2"),
    ("!", "Digit1", ["shiftKey"], "!"),
    ("т", "KeyN", [], "n"),
    ("Г", "KeyU", ["shiftKey"], "U"),
    ("１", "Digit1", [], "1"),
    ("ｎ", "KeyN", [], "n"),
    ("／", "Slash", [], "/"),
    ("Process", "KeyN", [], "n"),
    ("N", "KeyN", [], "n"),
    ("N", "KeyN", ["shiftKey"], "N"),
    ("U", "KeyU", ["modifierCapsLock"], "u"),
    ("u", "KeyU", ["modifierCapsLock", "shiftKey"], "U"),
    ("~", "Digit2", ["modifierAltGraph"], "~"),
    ("q", "KeyU", [], "q"),
    (",", "KeyN", [], ","),
]
MEANT = """(keys) => keys.map(([key, code, held]) => keyMeant(
  new KeyboardEvent("keydown", { key, code, ...Object.fromEntries(held.map((each) => [each, true])) }),
  (each) => ["1", "2", "n", "u", "U", "/"].includes(each)))"""


def test_a_key_is_meant_by_its_letter_or_else_by_its_place(site: Site, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(f"{site.address}/login/")
    assert page.evaluate(MEANT, [list(each[:3]) for each in KEYS]) == [each[3] for each in KEYS]
    page.close()


def test_a_second_look_needs_no_mouse(site: Site, log_in) -> None:
    dataset = number(site, LOOKS)
    page: Page = log_in("lena", "lena")
    page.goto(f"/datasets/{dataset}/second-looks/")
    press_foreign(page, ("é", "Digit2"))
    expect(page.get_by_text("Type of error")).to_be_visible()
    press_foreign(page, ("т", "KeyN"))
    page.keyboard.type("It is even.")
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 open · 1 done")).to_be_visible()
    page.keyboard.press("b")
    expect(page.get_by_role("textbox", name="Reason")).to_have_value("It is even.")
