"""A comparison is shared with a stranger, and an outside team submits, as they would in their own browsers."""

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import Site
from tests.browser.test_every_page import wrong_in_any_look

SETUP = """
from annotate.models import Role
from tests.evaluators.comparison.rows import add_run
from tests.evaluators.held_out.work import make_lab
from tests.factories import make_person
lab = make_lab()
make_person("dora", lab, Role.ADJUDICATOR)
segments = [segment for response in lab.responses.all() for segment in response.segments.all()]
add_run(lab, {segment: "S" if segment.position else "N" for segment in segments}, "judge", "imported")
print(lab.pk)
"""

LogIn = Callable[[str, str], Page]


@pytest.fixture(scope="module")
def lab(site: Site) -> int:
    """A dataset of forty errors with one evaluator that finds them all."""
    return int(site.run_script(SETUP).split()[-1])


@pytest.fixture
def outside(browser: Browser, site: Site) -> Iterator[BrowserContext]:
    """The browser of somebody without an account."""
    context = browser.new_context(base_url=site.address)
    context.set_default_timeout(30_000)
    yield context
    context.close()


def test_a_stranger_opens_the_link_until_it_is_revoked(lab: int, log_in: LogIn, outside: BrowserContext):
    dora = log_in("dora", "dora")
    dora.goto(f"/datasets/{lab}/compare/")
    dora.get_by_role("link", name="Share by a public link").click()
    dora.get_by_label("Title").fill("Judges in November")
    dora.get_by_role("button", name="Make the link").click()
    link = dora.get_by_label("Link to Judges in November").input_value()

    stranger = outside.new_page()
    stranger.goto(link)
    expect(stranger.get_by_role("heading", name="Judges in November")).to_be_visible()
    expect(stranger.get_by_role("row", name="judge").first).to_contain_text("1.000")
    assert wrong_in_any_look(stranger) == []
    assert outside.cookies() == []
    with stranger.expect_download() as download:
        stranger.get_by_role("link", name="All as JSON").click()
    assert json.loads(download.value.path().read_text())["n"] == 80

    dora.get_by_role("button", name="Revoke").click()
    expect(dora.get_by_text("The link is revoked.")).to_be_visible()
    answer = stranger.goto(link)
    assert answer is not None
    assert answer.status == 404


def test_a_team_downloads_submits_and_sees_the_ranks_when_they_are_shown(
    lab: int, log_in: LogIn, outside: BrowserContext
):
    dora = log_in("dora", "dora")
    dora.goto(f"/datasets/{lab}/leaderboard/")
    dora.get_by_role("link", name="Held-out boards").click()
    dora.get_by_label("Title").fill("Which is wrong?")
    dora.get_by_role("button", name="Open the board").click()
    dora.get_by_label("Name of the team").fill("Heron")
    dora.get_by_role("button", name="Add the team").click()
    link = dora.get_by_label("Link of Heron").input_value()

    team = outside.new_page()
    team.goto(link)
    assert wrong_in_any_look(team) == []
    with team.expect_download() as download:
        team.get_by_role("link", name="Download the units").click()
    units = [json.loads(line) for line in download.value.path().read_text().splitlines()]
    values = ["supported" if unit["segment"] else "not_supported" for unit in units]
    rows = [
        {"index": unit["index"], "segment": unit["segment"], "value": value}
        for unit, value in zip(units, values, strict=True)
    ]
    content = "\n".join(json.dumps(row) for row in rows).encode()
    team.get_by_label("System").fill("Heron 1")
    team.get_by_label("File").set_input_files({"name": "sent.jsonl", "mimeType": "text/plain", "buffer": content})
    team.get_by_role("button", name="Submit").click()
    expect(team.get_by_role("row", name="Heron 1")).to_contain_text("1.000")
    expect(team.get_by_role("columnheader", name="F1, hidden")).to_have_count(0)

    dora.get_by_role("button", name="Show the hidden ranks").click()
    expect(dora.get_by_role("heading", name="Ranks on the hidden split")).to_be_visible()
    team.reload()
    expect(team.get_by_role("columnheader", name="F1, hidden").first).to_be_visible()
    expect(team.get_by_role("button", name="Submit")).to_have_count(0)
