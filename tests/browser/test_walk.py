"""The whole way in a browser: import → label as two people → adjudicate → freeze → run → leaderboard."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.fake_openai import FakeOpenAI

PEOPLE = """
from django.contrib.auth.models import Permission
from annotate.models import User
for name in ("ada", "ben", "dora", "rhea"):
    User.objects.create_user(name, password=name)
dora = User.objects.get(username="dora")
dora.user_permissions.add(Permission.objects.get(codename="add_dataset"))
"""

# By itself every response is signed by two reviewers.
IN_BULK = """
from annotate.models import Dataset
Dataset.objects.filter(name="Rivers").update(review="bulk")
"""

RESPONSES = [
    {
        "prompt": "Which rivers flow through Vienna?",
        "response": "The Danube flows through Vienna. It is wrong that the Rhine does too.",
        "domain": "wk",
        "references": ["https://example.org/danube"],
    },
    {"prompt": "What is 6 times 7?", "response": "It is 42. That is a wrong prime number.", "domain": "math"},
]


@pytest.fixture
def responses(tmp_path: Path) -> Path:
    path = tmp_path / "rivers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in RESPONSES))
    return path


def test_from_a_file_to_the_leaderboard(site: Site, log_in, responses: Path, fake_model: FakeOpenAI) -> None:
    site.run_script(PEOPLE)
    dora = log_in("dora", "dora")
    dataset = import_responses(dora, responses)
    invite(dora, dataset)
    reserve(dora, dataset)
    site.run_script(IN_BULK)

    # Ada finds two errors, Ben only the first: three segments are unanimous and one is in dispute.
    label(log_in("ada", "ada"), dataset, ["1", "2", "1", "2"])
    label(log_in("ben", "ben"), dataset, ["1", "2", "1", "1"])

    settle(dora, dataset)
    freeze(dora, dataset, "v1")

    rhea = log_in("rhea", "rhea")
    run_felm_segment(rhea, dataset, fake_model)
    read_leaderboard(rhea, dataset)


def import_responses(page: Page, file: Path) -> str:
    """The address of the dataset made of the file, on pages only."""
    page.goto("/import/")
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_label("Name of the dataset").fill("Rivers")
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_text("Which rivers flow through Vienna?")).to_be_visible()
    page.get_by_role("button", name="Import 2 responses").click()
    page.get_by_role("link", name="Open Rivers").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Rivers")
    return re.sub(r"^https?://[^/]+", "", page.url)


def invite(page: Page, dataset: str) -> None:
    page.goto(f"{dataset}people/")
    for name, role in (("ada", "annotator"), ("ben", "annotator"), ("rhea", "researcher")):
        page.get_by_text("Add a person with an account").click()
        form = page.locator("form", has=page.get_by_role("button", name="Add", exact=True))
        form.get_by_label("User name").fill(name)
        form.get_by_label("Role").select_option(role)
        form.get_by_role("button", name="Add", exact=True).click()
        expect(page.get_by_role("rowheader", name=name)).to_be_visible()


def reserve(page: Page, dataset: str) -> None:
    page.goto(f"{dataset}tasks/")
    for name in ("ada", "ben"):
        page.get_by_label(name, exact=True).check()
    page.get_by_role("button", name="Assign tasks").click()
    expect(page.get_by_role("listitem").filter(has_text="ada assigned")).to_have_count(2)


def label(page: Page, dataset: str, values: list[str]) -> None:
    """Judge both responses by the keyboard alone, the segments in the order of the file."""
    by_prompt = {RESPONSES[0]["prompt"]: values[:2], RESPONSES[1]["prompt"]: values[2:]}
    page.goto(f"{dataset}label/")
    for _ in RESPONSES:
        prompt = next(text for text in by_prompt if page.get_by_text(text).is_visible())
        address = page.url
        for digit in by_prompt[prompt]:
            page.keyboard.press(digit)
            if digit == "2":
                page.keyboard.press("e")
                page.keyboard.press("r")
                page.keyboard.type("No source says so.")
                page.keyboard.press("Escape")
            page.keyboard.press("l")
        expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
        page.keyboard.press("Control+Enter")
        page.wait_for_url(lambda url, before=address: url != before)


def settle(page: Page, dataset: str) -> None:
    """The three segments on which both agree in bulk, the one in dispute for Ada."""
    page.goto(f"{dataset}adjudicate/unanimous/")
    page.get_by_label("Reason").fill("Both agree, and I see the examples.")
    page.get_by_role("button", name="Accept 3 as dora").click()
    expect(page.get_by_text("3 unanimous units are now gold")).to_be_visible()

    page.goto(f"{dataset}adjudicate/")
    expect(page.locator("form .unit-head")).to_have_text("That is a wrong prime number.")
    expect(page.get_by_text("ada", exact=True)).to_have_count(0)
    page.get_by_role("radio").filter(has=page.locator("xpath=ancestor::label[contains(., 'Error')]")).first.check()
    page.get_by_label("Reason for the decision").fill("42 is even.")
    page.get_by_role("button", name="Adjudicate").click()
    expect(page.get_by_role("heading", name="No disagreements")).to_be_visible()


def freeze(page: Page, dataset: str, version: str) -> None:
    page.goto(f"{dataset}gold/")
    page.get_by_label("Name of the version").fill(version)
    page.get_by_role("button", name="Freeze").click()
    expect(page.get_by_role("row").filter(has=page.get_by_role("rowheader", name=version))).to_contain_text("dora")


def run_felm_segment(page: Page, dataset: str, model: FakeOpenAI) -> None:
    """Two responses, so two calls; the model calls each segment with the word "wrong" an error."""
    calls_before = model.stats()["total"]  # by other tests
    page.goto(f"{dataset}runs/new/?method=felm-segment")
    page.locator("select[name=model]").select_option("m")
    page.get_by_role("button", name="Start the run").click()
    expect(page.locator("#progress")).to_contain_text("Finished")
    expect(page.locator("#progress")).to_contain_text("2 of 2 responses")
    assert model.stats()["total"] - calls_before == 2


def read_leaderboard(page: Page, dataset: str) -> None:
    """Gold and the model call segments 2 and 4 errors: F1 is 1. Calling all four so: 2*2 / (2*2 + 2) = 0.667."""
    page.goto(f"{dataset}leaderboard/?gold=v1")
    rows = page.get_by_role("row")
    expect(rows.filter(has_text="felm-segment")).to_contain_text("1.000")
    expect(rows.filter(has_text="always-not-supported")).to_contain_text("0.667")
