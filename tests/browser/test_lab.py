"""A new lab by its pages alone: after the first page nobody types an address but the link of their invitation."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import Site

PASSWORD = "a-long-password-of-one"
EMMA, VIENNA, SIX, OSLO = "Who wrote Emma?", "Which rivers flow through Vienna?", "What is 6 times 7?", "Where is Oslo?"
ROWS = [
    {"prompt": VIENNA, "response": "The Danube does. The Rhine does too."},
    {"prompt": SIX, "response": "It is 42. That is a prime number."},
    {"prompt": EMMA, "response": "Jane Austen did. She was a poet of Rome."},
    {"prompt": OSLO, "response": "Oslo is in Norway. It lies on the Nile."},
]
ATLAS = "Oslo is the capital of Norway. It lies at the head of the Oslofjord. The Nile flows through Egypt."


class Lab:
    """The browsers of its people. Any error of a script is kept."""

    def __init__(self, browser: Browser, site: Site) -> None:
        self._browser, self._site = browser, site
        self.errors: list[str] = []

    def _new_page(self) -> Page:
        context = self._browser.new_context(
            base_url=self._site.address, viewport={"width": 1280, "height": 900}, permissions=["clipboard-write"]
        )
        context.set_default_timeout(30_000)
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(f"{page.url}: {error}"))
        page.on("console", lambda line: line.type == "error" and self.errors.append(f"{page.url}: {line.text}"))
        return page

    def log_in(self, name: str) -> Page:
        page = self._new_page()
        page.goto("/")
        page.get_by_label("Name").fill(name)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Log in").click()
        expect(page.get_by_role("button", name="Log out")).to_be_visible()
        return page

    def join(self, link: str, name: str) -> Page:
        """The page of a person who makes an account by the link of an invitation."""
        page = self._new_page()
        page.goto(link)
        page.get_by_label("User name").fill(name)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_label("Password again").fill(PASSWORD)
        page.get_by_role("button", name="Create account").click()
        expect(page.get_by_role("button", name="Log out")).to_be_visible()
        return page

    def close(self) -> None:
        for context in self._browser.contexts:
            context.close()


@pytest.fixture
def lab(browser: Browser, site: Site) -> Iterator[Lab]:
    lab = Lab(browser, site)
    yield lab
    lab.close()
    assert lab.errors == []


def test_a_lab_from_an_unlabelled_file_to_a_release(lab: Lab, site: Site, tmp_path: Path) -> None:
    site.manage("createsuperuser", "--noinput", "--username", "root", "--email", "", DJANGO_SUPERUSER_PASSWORD=PASSWORD)
    dora = begin(lab, lab.log_in("root"))
    import_responses(dora, tmp_path)
    write_guidelines(dora)
    ann, bob = (lab.join(invite(dora, name.title(), "Annotator"), name) for name in ("ann", "bob"))

    choose_qualification(dora)
    for page, keys in ((ann, "12"), (bob, "11")):
        attend(page, "Qualification: 0 of 1 tasks submitted.")
        page.get_by_role("link", name="Continue the qualification").click()
        label(page, keys)
        expect(page.get_by_text("You passed")).to_be_visible()

    assign(dora)
    label_next(ann)
    label(ann, "12")
    label_next(bob)
    for _ in range(3):
        label(bob, "11")

    rebut(bob)
    attend(ann, "1 task waits for your rebuttal.")
    rebut(ann)

    send_back(dora, bob)

    upload_source(dora, tmp_path)
    adjudicate(dora)
    sign(dora, 3)
    release(dora)


def begin(lab: Lab, root: Page) -> Page:
    """The first person makes room for Dora, who may create datasets from now on."""
    root.get_by_role("link", name=re.compile("^New data ?set")).first.click()
    root.get_by_label("Name").fill("Trial")
    root.get_by_role("button", name="Create").click()
    dora = lab.join(invite(root, "Dora", "Adjudicator"), "dora")
    root.get_by_role("link", name="root", exact=True).click()
    root.get_by_role("link", name="Accounts").click()
    root.get_by_role("button", name="Allow dora").click()
    return dora


def invite(page: Page, name: str, role: str) -> str:
    """The link of an invitation to the dataset of the page."""
    tab(page, "Work", "People & guidelines")
    page.get_by_role("link", name="Invite a person").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Role").select_option(label=role)
    page.get_by_role("button", name="Create link").click()
    link = page.get_by_label("Link").input_value()
    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    return link


def import_responses(page: Page, folder: Path) -> None:
    file = folder / "rivers.json"
    file.write_text(json.dumps(ROWS))
    home(page)
    page.get_by_role("link", name="Import a file").first.click()
    page.get_by_label("File", exact=True).set_input_files(file)
    page.get_by_label("Name of the dataset").fill("Rivers")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Import 4 responses").click()
    page.get_by_role("link", name="Open Rivers").click()


def write_guidelines(page: Page) -> None:
    page.get_by_role("link", name="Guidelines").click()
    page.locator("textarea[name=text]").fill("Look each statement up.")
    page.get_by_role("button", name="Save as a new version").click()
    expect(page.get_by_text("Version 1, current")).to_be_visible()


def choose_qualification(page: Page) -> None:
    """The response about Emma, with its answers and a pass mark of one half."""
    page.get_by_role("link", name="Overview").click()
    page.get_by_role("link", name="Qualification").click()
    page.get_by_role("row").filter(has_text=EMMA).get_by_role("checkbox").check()
    page.get_by_role("button", name="Add to the qualification").click()
    page.get_by_role("link", name="Answer 2 units").click()
    decide(page, "Supported")
    decide(page, "Error")
    tab(page, "Work", "Settings")
    page.get_by_label("Pass mark").fill("0.5")
    page.get_by_label("Rebuttal").check()
    page.get_by_role("button", name="Save").click()


def decide(page: Page, value: str) -> None:
    """Gold of one's own for the unit of the page."""
    unit = page.locator("form .unit-head").inner_text()
    page.get_by_role("radio", name=value, exact=True).check()
    if value == "Error":
        page.get_by_label("Error type").select_option(label="Knowledge")
        page.get_by_label("Reason", exact=True).fill("She wrote novels, in England.")
    page.get_by_label("Reason for the decision").fill("It is well known.")
    page.get_by_role("button", name="Adjudicate").click()
    expect(page.get_by_text(f"Adjudicated: “{unit}”")).to_be_visible()


def assign(page: Page) -> None:
    """One task for both; of the other two one each, and then Ann's goes to Bob."""
    tab(page, "Work", "Tasks")
    page.get_by_label("Overlap").fill("0.4")
    page.get_by_role("button", name="Assign tasks").click()
    expect(page.get_by_text("3 tasks; 4 assignments")).to_be_visible()
    row = row_of(page, VIENNA)
    expect(row).to_contain_text("ann assigned")
    row.get_by_role("checkbox").check()
    page.locator("[name=source]").select_option("ann")
    page.locator("[name=target]").select_option("bob")
    page.get_by_role("button", name="Reassign").click()
    expect(page.get_by_text("1 task moved from ann to bob.")).to_be_visible()
    expect(row).to_contain_text("bob assigned")


def label_next(page: Page) -> None:
    home(page)
    page.get_by_role("link", name="Label the next one").click()


def label(page: Page, keys: str) -> None:
    """Label the two segments of the task by these keys, and submit it."""
    address = page.url
    page.wait_for_load_state()
    for key in keys:
        page.keyboard.press(key)
        if key == "2":
            give_a_reason(page)
        page.keyboard.press("j")
    submit(page, address)


def give_a_reason(page: Page) -> None:
    page.keyboard.press("e")
    page.keyboard.press("r")
    page.keyboard.type("No source says so.")
    page.keyboard.press("Escape")


def submit(page: Page, address: str) -> None:
    expect(page.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    page.keyboard.press("Control+Enter")
    page.wait_for_url(lambda url: url != address)


def rebut(page: Page) -> None:
    """Both keep their answers to the one segment on which they differ."""
    expect(page.get_by_text("Judgements or evidence differ in 1 of 2 segments.")).to_be_visible()
    page.get_by_role("button", name="Keep my answers").click()
    expect(page.get_by_text("Your submitted answers stay.")).to_be_visible()


def send_back(dora: Page, bob: Page) -> None:
    """Bob's only task of his own, which he changes and submits again."""
    tab(dora, "Work", "Tasks")
    row_of(dora, SIX).get_by_role("link").first.click()
    dora.get_by_text("Send back").first.click()
    dora.get_by_label("Note to bob").fill("42 is even.")
    dora.get_by_role("button", name="Send back").click()

    attend(bob, "1 task was sent back to you with a note.")
    bob.get_by_role("link", name=SIX).click()
    bob.wait_for_load_state()
    expect(bob.get_by_text("An adjudicator sent this back: “42 is even.”")).to_be_visible()
    bob.keyboard.press("j")
    bob.keyboard.press("2")
    give_a_reason(bob)
    submit(bob, bob.url)


def upload_source(page: Page, folder: Path) -> None:
    file = folder / "atlas.txt"
    file.write_text(ATLAS)
    tab(page, "Data", "Knowledge source")
    page.get_by_label("File").set_input_files(file)
    page.get_by_label("Name of the source").fill("Atlas")
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_text("Imported: 1 new document")).to_be_visible()


def adjudicate(page: Page) -> None:
    """Search evidence in the case, cite what refutes the unit, and choose the side that calls it an error."""
    page.get_by_role("link", name="Adjudicate", exact=True).click()
    page.wait_for_load_state()
    expect(page.locator("form .unit-head")).to_have_text("It lies on the Nile.")
    page.get_by_role("button", name="This unit").click()
    page.get_by_role("button", name="Refutes").click()
    page.locator("label").filter(has_text="Choose").filter(has_text="Error").get_by_role("radio").check()
    page.get_by_label("Reason for the decision").fill("It is on the Oslofjord.")
    page.get_by_role("button", name="Adjudicate").click()
    expect(page.get_by_text("Adjudicated: “It lies on the Nile.”")).to_be_visible()


def sign(page: Page, number: int) -> None:
    tab(page, "Adjudicate", "Review")
    page.get_by_role("link", name="Review the first one").click()
    for _ in range(number):
        address = page.url
        page.get_by_label("Note").fill("Read and agreed.")
        page.get_by_role("button", name="Sign as reviewer").click()
        page.wait_for_url(lambda url, before=address: url != before)


def release(page: Page) -> None:
    """Of the six segments that both or one labelled, and the two of the qualification."""
    page.get_by_role("link", name="Gold", exact=True).click()
    page.get_by_label("Name of the version").fill("v1")
    page.get_by_role("button", name="Freeze").click()
    expect(page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="v1"))).to_contain_text("8")
    page.get_by_label("Licence").fill("CC0-1.0")
    page.get_by_role("button", name="Create a release").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    assert download.value.path().stat().st_size > 1000


def home(page: Page) -> None:
    page.get_by_role("link", name="Touchstone").click()


def attend(page: Page, sentence: str) -> None:
    """Go where an item of "Needs your attention" leads."""
    home(page)
    page.get_by_role("link", name=sentence).click()


def tab(page: Page, chapter: str, name: str) -> None:
    page.get_by_role("link", name=chapter, exact=True).first.click()
    page.get_by_role("link", name=name, exact=True).first.click()


def row_of(page: Page, prompt: str) -> Locator:
    return page.get_by_role("row").filter(has_text=prompt)
