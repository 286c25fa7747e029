"""A rebuttal in the workbench: where two annotators differ, with the other's evidence, by the keyboard."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.bench import at_her_browser, expect_status, press
from tests.browser.conftest import Site

MAKE = """
from annotate.judgements.judgement import UnitJudgement
from annotate.judgements.units import readings_of
from annotate.models import Dataset
from annotate.tasks.create import create_tasks
from tests.annotate.rebuttal.work import PAGE, submit_next
from tests.factories import make_dataset, make_person, make_response
dataset = make_dataset("rebuttal " + str(Dataset.objects.count()))
dataset.rebuttal = True
dataset.save()
for number in range(2):
    make_response(dataset, ["One is odd.", "Two is odd."], prompt=f"Numbers {number}?", index=str(number))
create_tasks(dataset)
dataset.tasks.update(wants=2)
for name, second in (
    ("ada", UnitJudgement("supported", reason="I think so.")),
    ("ben", UnitJudgement("not_supported", "knowledge", "Look there.", (PAGE,))),
):
    person = make_person(name, dataset)
    for task in dataset.tasks.all():
        units = [unit.key for unit in readings_of(task)[0].units()]
        own = submit_next(dataset, person, dict(zip(units, (UnitJudgement("supported"), second))))
        print("key", own.task.position, name, own.key)
"""
STORED = """
import json
from annotate.models import *
own = Assignment.objects.get(key="{key}")
labels = own.labels.in_force().order_by("segment__position").prefetch_related("references")
print("stored", json.dumps(dict(
    answered=own.rebutted_at is not None,
    begun=sorted(entry["reason"] for entry in own.draft.values()),
    labels=[[label.value, label.revision, [[link.url, link.quote, link.stance] for link in label.references.all()]]
            for label in labels],
)))
"""


@pytest.fixture
def keys(site: Site) -> Iterator[list[str]]:
    """Those of Ada's two assignments in rebuttal."""
    lines = [line.split() for line in site.run_script(MAKE).splitlines() if line.startswith("key")]
    yield [key for _, _, name, key in lines if name == "ada"]


def stored(site: Site, key: str) -> dict[str, object]:
    lines = site.run_script(STORED.format(key=key)).splitlines()
    content: dict[str, object] = json.loads(next(line for line in lines if line.startswith("stored"))[7:])
    return content


def open_rebuttal(page: Page, key: str) -> Page:
    page.goto(f"/assignments/{key}/rebuttal/")
    page.locator("html.scripted").wait_for(state="attached")
    return page


def test_the_others_evidence_is_cited_by_key_and_the_answer_leads_to_the_next_rebuttal(
    site: Site, log_in, keys: list[str]
) -> None:
    page = open_rebuttal(log_in("ada", "ada"), keys[0])
    expect(page.locator(".lede")).to_contain_text("Judgements or evidence differ in 1 of 2 segments")
    assert page.locator("[data-unit] .text").all_text_contents() == ["Two is odd."]
    others = page.get_by_role("region", name="Other annotators' evidence")
    expect(others.locator("[data-words]")).to_have_text("Two is even.")

    press(page, "t")
    expect(others.locator("[data-passage]")).to_be_focused()
    press(page, "2", "Escape", "2")
    expect(page.locator(".here .cards li")).to_have_class("refutes")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#notice")).to_have_text("Revised: 1 changed.")
    expect(page).to_have_url(f"{site.address}/assignments/{keys[1]}/rebuttal/")
    cited = [["https://numbers.example", "Two is even.", "refutes"]]
    assert stored(site, keys[0])["labels"] == [["supported", 0, []], ["not_supported", 1, cited]]

    page.get_by_role("button", name="Keep my answers").click()
    expect(page).not_to_have_url(f"{site.address}/assignments/{keys[1]}/rebuttal/")
    assert stored(site, keys[1]) == {
        "answered": True,
        "begun": [],
        "labels": [["supported", 0, []], ["supported", 0, []]],
    }


def test_a_revision_that_was_begun_is_discarded_only_when_asked_twice(site: Site, log_in, keys: list[str]) -> None:
    page = open_rebuttal(log_in("ada", "ada"), keys[0])
    press(page, "3")
    page.get_by_role("button", name="Keep my answers").click()
    expect_status(page, "Your changes will be discarded")
    assert stored(site, keys[0])["answered"] is False
    page.get_by_role("button", name="Keep my answers").click()
    expect(page).to_have_url(f"{site.address}/assignments/{keys[1]}/rebuttal/")
    assert stored(site, keys[0])["labels"] == [["supported", 0, []], ["supported", 0, []]]


def test_answers_are_kept_in_all_rebuttals_at_once(site: Site, log_in, keys: list[str]) -> None:
    page = log_in("ada", "ada")
    page.goto(f"/assignments/{keys[0]}/rebuttal/")
    page.get_by_text("Keep my answers in 2 rebuttals").click()
    page.get_by_role("button", name="Keep my answers in all 2").click()
    expect(page.get_by_text("2 rebuttals answered.")).to_be_visible()
    assert [stored(site, key)["answered"] for key in keys] == [True, True]


@pytest.fixture
def hers(browser: Browser, site: Site, keys: list[str]) -> Iterator[BrowserContext]:
    """Ada's browser, in which requests fail on purpose. She has an account once the keys are made."""
    with at_her_browser(browser, site, 900) as context:
        yield context


def test_a_tab_that_closes_offline_has_its_text_when_it_is_opened_again(
    site: Site, hers: BrowserContext, keys: list[str]
) -> None:
    page = open_rebuttal(hers.new_page(), keys[0])
    hers.set_offline(True)
    page.keyboard.press("r")
    page.keyboard.insert_text(" Two is ev")
    expect_status(page, "kept in this browser")
    page.close()
    hers.set_offline(False)
    again = open_rebuttal(hers.new_page(), keys[0])
    expect(again.locator("#notice")).to_contain_text("Restored from this browser")
    expect(again.get_by_role("textbox", name="Reason")).to_have_value("I think so. Two is ev")
    expect_status(again, "Saved")
    assert stored(site, keys[0])["begun"] == ["I think so. Two is ev"]


def test_what_was_saved_on_another_tab_is_not_overwritten(site: Site, hers: BrowserContext, keys: list[str]) -> None:
    page, other = (open_rebuttal(hers.new_page(), keys[0]) for _ in range(2))
    other.keyboard.press("r")
    other.keyboard.insert_text(" From elsewhere.")
    expect_status(other, "Saved")
    page.bring_to_front()
    page.keyboard.press("r")
    page.keyboard.insert_text(" From here.")
    expect(page.get_by_role("alert")).to_contain_text("This was changed on another page too")
    assert stored(site, keys[0])["begun"] == ["I think so. From elsewhere."]
