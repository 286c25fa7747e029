"""A workbench at hand for the browser tests: data of its own, a page on it, and what the server has stored."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import Site, enter

MAKE = """
from tests.factories import *
from annotate.models import Guideline
from annotate.tasks.create import create_tasks
dataset = make_dataset({name!r}, scheme={scheme!r})
make_person("ada"), Membership.objects.create(user=User.objects.get(username="ada"), dataset=dataset, role="annotator")
Guideline.objects.create(dataset=dataset, version=1, text="Look it up.")
if dataset.scheme == "felm":
    for index in range({tasks}):
        sentences = ("The Danube flows.", "The Rhine does too.", "So do all rivers.")
        make_response(dataset, sentences, prompt="Rivers?", index=str(index))
else:
    prompt = Prompt.objects.create(dataset=dataset, text="Tell me a bio of Ada.", topic="Ada")
    for subject in ("one", "two"):
        biography = make_response(dataset, ("Ada sings in London.", "She is old."), prompt=prompt, subject=subject)
        add_facts(biography, [["Ada sings.", "Ada is in London."], ["Ada is old."]])
create_tasks(dataset)
print("dataset", dataset.pk)
"""

STORED = """
import json
from annotate.judgements.page_keys import PageKeys
from annotate.models import *
own = Assignment.objects.filter(task__dataset={dataset}).latest("pk")
labels = [[(label.fact or label.segment).text, label.value, label.error_type, label.irrelevance, label.reason,
           [link.url for link in label.references.all()], label.flagged] for label in own.labels.order_by("pk")]
on_page = [PageKeys(own).of(key) for key in own.draft]
print("stored", json.dumps(dict(state=own.state, draft=own.draft, on_page=on_page, comment=own.comment, labels=labels,
    edits=[[edit.segment.text, edit.text] for edit in own.edits.order_by("pk")],
    verdicts=[[said.keep, said.reason] for said in own.response_labels.all()])))
"""


ENTRIES = """
() => {
  const units = [...document.querySelectorAll("[data-unit]")].map((unit) => unit.dataset.unit);
  const place = ([key]) => (units.includes(key) ? units.indexOf(key) : units.length);
  return workbench.entries().sort((one, other) => place(one) - place(other)).map(([, entry]) => entry);
}
"""

FOREIGN = "(init) => (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', init))"


def make_work(site: Site, name: str, scheme: str = "felm", tasks: int = 1) -> int:
    """A dataset with a task for Ada (of FELM, with more if wanted); its primary key."""
    return int(_printed(site.run_script(MAKE.format(name=name, scheme=scheme, tasks=tasks)), "dataset"))


def stored(site: Site, dataset: int) -> dict[str, Any]:
    """What the server has of Ada's work, the latest that she began."""
    counts: dict[str, Any] = json.loads(_printed(site.run_script(STORED.format(dataset=dataset)), "stored"))
    return counts


def _printed(output: str, word: str) -> str:
    return next(line for line in output.splitlines() if line.startswith(word)).removeprefix(word)


def open_work(page: Page, dataset: int) -> Page:
    page.goto(f"/datasets/{dataset}/label/")
    page.locator("html.scripted").wait_for(state="attached")
    return page


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def press_foreign(page: Page, *keys: tuple[str, str]) -> None:
    """As on a keyboard of another layout: what is typed, and the place of the key."""
    for key, code in keys:
        page.evaluate(FOREIGN, {"key": key, "code": code, "bubbles": True, "cancelable": True})


def write(page: Page, key: str, text: str) -> None:
    """Type into the field that the key leads to, and leave it."""
    page.keyboard.press(key)
    page.keyboard.type(text)
    page.keyboard.press("Escape")


def write_at_once(page: Page, key: str, text: str) -> None:
    """The same in one piece, however slow typing is: no save finds a part of it."""
    page.keyboard.press(key)
    page.keyboard.insert_text(text)
    page.keyboard.press("Escape")


def cut_off(page: Page) -> None:
    """From here on nothing that the page sends gets anywhere. Offline is the context: once that is online again, the
    last save of a page that was closed meanwhile may still come through."""
    page.evaluate("() => { window.fetch = () => Promise.reject(new TypeError('cut off')); }")


def stop_time(page: Page) -> None:
    """For what it opens from here on: time goes on by `page.clock.run_for` only, however slow all else is."""
    page.clock.install(time=0)
    page.clock.pause_at(60)


def expect_status(page: Page, text: str) -> None:
    expect(page.locator("[data-status]")).to_contain_text(text)


def entries(page: Page) -> list[Any]:
    """What is said on the page, in the order of its units, then all else."""
    return list(page.evaluate(ENTRIES))


def log_in_again(context: BrowserContext) -> Page:
    """As Ada, on a tab of its own."""
    return enter(context, "ada", "ada")


@contextmanager
def at_her_browser(browser: Browser, site: Site, height: int) -> Iterator[BrowserContext]:
    """Ada's, logged in, for tests in which requests fail on purpose: only errors of scripts count."""
    context = browser.new_context(base_url=site.address, viewport={"width": 1280, "height": height})
    context.set_default_timeout(30_000)
    errors: list[str] = []
    context.on("weberror", lambda error: errors.append(str(error.error)))
    log_in_again(context)
    yield context
    context.close()
    assert errors == []
