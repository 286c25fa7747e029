"""A rebuttal is saved by its buttons; what was written since survives a closed tab."""

import json

from playwright.sync_api import Page, expect

from tests.browser.conftest import Site

MAKE = """
from tests.annotate.rebuttal.work import disputed_task
ada, ben = disputed_task()
ada.task.dataset.name = f"rebuttal {ada.pk}"
ada.task.dataset.save()
print("rebuttal", ada.key)
"""
STORED = """
import json
from annotate.models import Assignment
draft = Assignment.objects.get(key="{key}").draft
print(json.dumps([entry["reason"] for entry in draft.values()]))
"""


def reason(page: Page):
    return page.get_by_role("textbox", name="Reason")


def stored(site: Site, key: str) -> list[str]:
    reasons: list[str] = json.loads(site.run_script(STORED.format(key=key)).splitlines()[-1])
    return reasons


def test_a_tab_that_closes_offline_has_its_text_when_it_is_opened_again(site: Site, log_in) -> None:
    key = site.run_script(MAKE).split()[-1]
    address = f"/assignments/{key}/rebuttal/"
    page = log_in("ada", "ada")
    page.goto(address)
    page.context.set_offline(True)
    page.get_by_role("radio", name="Error").check()
    reason(page).fill("Two is ev")
    expect(page.locator("[data-status]")).to_have_text("Kept in this browser, not saved yet")
    context = page.context
    page.close()
    context.set_offline(False)

    again = context.new_page()
    again.goto(address)
    expect(again.locator("#notice")).to_contain_text("Restored from this browser")
    expect(reason(again)).to_have_value("Two is ev")
    assert stored(site, key) == []
    again.get_by_role("button", name="Save for later").click()
    expect(again.get_by_text("Saved. It counts once you submit")).to_be_visible()
    again.wait_for_load_state()
    expect(again.locator("#notice")).to_be_empty()
    expect(again.locator("[data-status]")).to_be_empty()
    assert stored(site, key) == ["Two is ev"]


def test_restored_text_overwrites_nothing_that_was_saved_meanwhile(site: Site, log_in) -> None:
    key = site.run_script(MAKE).split()[-1]
    page = log_in("ada", "ada")
    page.goto(f"/assignments/{key}/rebuttal/")
    reason(page).fill("From the tab that died.")
    page.close()
    other = log_in("ada", "ada")
    other.goto(f"/assignments/{key}/rebuttal/")
    reason(other).fill("From elsewhere.")
    other.get_by_role("button", name="Save for later").click()
    expect(other.get_by_text("Saved. It counts once you submit")).to_be_visible()
    again = page.context.new_page()
    again.goto(f"/assignments/{key}/rebuttal/")
    again.get_by_role("button", name="Save for later").click()
    expect(again.get_by_role("alert")).to_contain_text("Nothing was overwritten")
    expect(reason(again)).to_have_value("From the tab that died.")
    assert stored(site, key) == ["From elsewhere."]
