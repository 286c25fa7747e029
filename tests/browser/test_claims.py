"""Claims against a source at the workbench: the fourth value by its key, and passages below the current claim only."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.bench import open_work, press, stored
from tests.browser.conftest import Site
from tests.browser.test_every_page import LIMIT, LOOKS, Scale, wait_until_whole, wrong_in_any_look

MAKE = """
from tests.factories import *
from annotate.tasks.create import create_tasks
dataset = make_dataset({name!r}, scheme="claims")
for name, role in (("ada", "annotator"), ("dora", "adjudicator")):
    person = make_person(name)
    Membership.objects.create(user=person, dataset=dataset, role=role)
response = make_response(dataset, ("The sea is salty.", "It is sweet."), prompt="", domain="nature")
first, second = response.segments.all()
sea = PassageRow("The sea holds salt. " * 120, "Sea water", "https://example.org/sea")
write_passages(dataset, [
    (first.pk, [sea, PassageRow("Rivers carry salt.")]),
    (second.pk, [PassageRow("Lakes are sweet.", "Lakes")]),
])
create_tasks(dataset)
print("dataset", dataset.pk, response.pk)
"""
# A folder for pictures of the pages, for people who want to look.
PICTURES = os.environ.get("CLAIMS_PICTURES", "")


@pytest.fixture
def claims(site: Site, log_in, request: pytest.FixtureRequest) -> tuple[Page, int, int]:
    """Ada's page on a response of two claims, its dataset and its response."""
    printed = site.run_script(MAKE.format(name=request.node.name))
    dataset, response = next(line.split()[1:] for line in printed.splitlines() if line.startswith("dataset"))
    return open_work(log_in("ada", "ada"), int(dataset)), int(dataset), int(response)


def picture(page: Page, name: str) -> None:
    """In every look."""
    for look, scheme, size, _ in LOOKS if PICTURES else ():
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(size)
        page.screenshot(path=Path(PICTURES, f"{name}, {look}.png"), full_page=True)


def test_claims_are_judged_by_the_keyboard_with_their_passages_in_sight(claims, site: Site) -> None:
    page, dataset, _ = claims
    expect(page.get_by_text("Rivers carry salt.")).to_be_visible()
    expect(page.get_by_text("Lakes are sweet.")).to_be_hidden()
    press(page, "4", "j")
    expect(page.get_by_text("Rivers carry salt.")).to_be_hidden()
    expect(page.get_by_text("Lakes are sweet.")).to_be_visible()
    press(page, "n", "Control+Enter")
    page.wait_for_url("**/label/")
    assert [label[:2] for label in stored(site, dataset)["labels"]] == [
        ["The sea is salty.", "not_enough_evidence"],
        ["It is sweet.", "not_supported"],
    ]


def test_a_passage_is_cited_by_its_link(claims, site: Site) -> None:
    page, dataset, _ = claims
    page.get_by_role("button", name="Cite", exact=True).first.click()
    press(page, "1", "j", "1", "Control+Enter")
    page.wait_for_url("**/label/")
    assert stored(site, dataset)["labels"][0][5] == ["https://example.org/sea"]


def test_the_pages_are_light_and_can_be_used_by_everybody(claims, log_in) -> None:
    page, dataset, response = claims
    task = page.url
    press(page, "4")
    picture(page, "task")
    faults = wrong_in_any_look(page)
    faults += [f"plain: {wrong}" for wrong in wrong_in_any_look(opened(page, f"{task}?plain"))]
    assert Scale(page).open(page, task) <= LIMIT
    dora = log_in("dora", "dora")
    for name, path in (
        ("dataset", f"/datasets/{dataset}/"),
        ("response", f"/responses/{response}/"),
        ("agreement", f"/datasets/{dataset}/agreement/"),
        ("gold", f"/datasets/{dataset}/gold/"),
        ("leaderboard", f"/datasets/{dataset}/leaderboard/"),
        ("stages", f"/datasets/{dataset}/stages/"),
        ("statistics", f"/datasets/{dataset}/statistics/"),
    ):
        opened(dora, path)
        picture(dora, name)
        faults += [f"{name}, {wrong}" for wrong in wrong_in_any_look(dora)]
    assert faults == []


def opened(page: Page, path: str) -> Page:
    page.goto(path)
    wait_until_whole(page)
    return page
