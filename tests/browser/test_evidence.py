"""The evidence panel by the keyboard: from the unit to a passage of the knowledge source, and to a card of it."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Site

PEOPLE = """
from annotate.models import User
User.objects.filter(username="iris").exists() or User.objects.create_user("iris", password="iris")
"""
WHAT_IRIS_CITED = """
import json
from annotate.models import Assignment
[said] = Assignment.objects.get(task__dataset__name={name!r}).draft.values()
print(json.dumps(said["references"]))
"""

RESPONSE = {"prompt": "What is a bee?", "response": "Bees dance for flowers. Bees sleep.", "topic": "Bee"}
PAGES = [
    {"title": "Bee", "text": "A bee is an insect. Bees dance where flowers are found. They fly far.", "id": "page"},
    {"title": "Flower", "text": "Flowers bloom in May.", "url": "https://flower.example/"},
]


@pytest.fixture
def bench(site: Site, log_in, tmp_path: Path, request: pytest.FixtureRequest) -> Page:
    """Iris at her task of the dataset named after the test, its first segment the current unit."""
    name = request.node.name
    site.run_script(PEOPLE)
    for file, rows in (("rows", [RESPONSE]), ("pages", PAGES)):
        (tmp_path / file).write_text("".join(json.dumps(row) + "\n" for row in rows))
    site.manage("import_dataset", name, str(tmp_path / "rows"), "--format", "responses")
    site.manage("import_documents", name, str(tmp_path / "pages"), "--dataset", name)
    site.manage("assign", name, "--annotators", "iris", "--overlap", "0")
    page = log_in("iris", "iris")
    page.get_by_role("link", name=name).first.click()
    page.get_by_role("link", name="Label", exact=True).first.click()
    expect(page.locator("[data-unit].here")).to_contain_text("Bees dance for flowers.")
    return page


def passage(page: Page, text: str):
    return page.locator("[data-passage]", has_text=text)


def test_a_sentence_becomes_a_card_by_the_keyboard_alone(
    bench: Page, site: Site, request: pytest.FixtureRequest
) -> None:
    bench.keyboard.press("/")
    of_topic, of_other = passage(bench, "A bee is an insect."), passage(bench, "Flowers bloom")
    expect(of_topic).to_be_focused()
    assert of_topic.locator("mark").all_text_contents() == ["Bees", "dance", "flowers"]

    bench.keyboard.press("ArrowDown")
    expect(of_other).to_be_focused()
    bench.keyboard.press("2")
    bench.keyboard.press("ArrowUp")
    for _ in range(2):
        bench.keyboard.press("ArrowRight")
    bench.keyboard.press("1")
    bench.keyboard.press("Escape")
    expect(bench.locator("[data-unit].here")).to_be_focused()
    expect(bench.locator("[data-status]")).to_contain_text("Saved")

    refuting, supporting = json.loads(
        site.manage(
            "shell",
            "-v",
            "0",
            "-c",
            WHAT_IRIS_CITED.format(name=request.node.name),
        )
    )
    assert (refuting["url"], refuting["quote"], refuting["stance"]) == (
        "https://flower.example/",
        "Flowers bloom in May.",
        "refutes",
    )
    assert (supporting["url"], supporting["quote"], supporting["stance"]) == (
        "",
        "Bees dance where flowers are found.",
        "supports",
    )
    assert supporting["document"] != refuting["document"]

    # The whole document opens in place, and the way back leads to the same passages.
    of_topic.focus()
    bench.keyboard.press("Enter")
    expect(bench.get_by_role("button", name="← Passages")).to_be_visible()
    expect(of_topic).to_be_focused()
    expect(of_other).to_have_count(0)
    bench.keyboard.press("Enter")
    expect(of_other).to_be_visible()

    # Precedents wait for one's own judgement.
    bench.locator("[data-unit].here").focus()
    bench.keyboard.press("p")
    expect(bench.get_by_text("Label the unit first")).to_be_visible()
    bench.keyboard.press("1")
    expect(bench.locator("[data-status]")).to_contain_text("Saved")


def test_what_is_found_late_does_not_take_the_focus_from_who_writes(bench: Page) -> None:
    reason = bench.get_by_role("textbox", name="Reason")

    def answer_after_she_went_on(route: Route) -> None:
        bench.keyboard.press("r")
        expect(reason).to_be_focused()
        route.continue_()

    bench.route("**/evidence/?q=*", answer_after_she_went_on)
    bench.reload()
    expect(bench.locator("[data-unit].here")).to_be_focused()
    bench.keyboard.press("/")
    expect(passage(bench, "A bee is an insect.")).to_be_visible()
    bench.keyboard.type("1, 2 and s")
    expect(reason).to_have_value("1, 2 and s")


def test_a_card_follows_the_passage_and_the_passage_the_card(bench: Page, site: Site) -> None:
    """Cited twice, it has the second stance; taken back, the passage is marked no more."""
    bench.keyboard.press("/")
    of_topic = passage(bench, "A bee is an insect.")
    expect(of_topic).to_be_focused()
    bench.keyboard.press("1")
    expect(of_topic).to_contain_class("cited")
    bench.keyboard.press("2")
    stances = "workbench.cards().map((card) => card.stance)"
    assert bench.evaluate(stances) == ["refutes"]
    # Until HTMX has taken up what was found, the way to the document leads off the page.
    expect(bench.locator(".htmx-settling")).to_have_count(0)
    bench.keyboard.press("Enter")
    expect(bench.get_by_role("button", name="← Passages")).to_be_visible()
    bench.keyboard.press("Enter")
    expect(passage(bench, "Flowers bloom")).to_be_visible()
    expect(of_topic).to_contain_class("cited")
    bench.keyboard.press("Escape")
    bench.keyboard.press("u")
    bench.keyboard.press("u")
    assert bench.evaluate(stances) == []
    expect(of_topic).not_to_contain_class("cited")


def test_what_is_long_or_in_another_script_can_be_looked_for(bench: Page) -> None:
    for long in ("Bees dance for flowers. " * 250, "النحل يرقص 🐝 " * 200):
        bench.locator("[data-query]").fill(f"Bees {long}")
        bench.locator("[data-query]").press("Enter")
        expect(passage(bench, "A bee is an insect.")).to_be_focused()
