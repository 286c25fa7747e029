"""The demo in a browser: a site of its own, and every page of it that a person can open."""

import json
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext

from tests.browser.conftest import ROOT, Site, enter, environment_of, serving

PASSWORD = "touchstone"
# One page for each address, about the last object there is of its kind.
FIND_PAGES = """
import json
from django.conf import settings
from django.test import Client
from django.urls import reverse
from annotate.models import User
from tests.annotate.blindness.walk import WORDS, addresses, column_of, table_of
settings.ALLOWED_HOSTS.append("testserver")
client = Client()
client.force_login(User.objects.get(username="{name}"))
found = {{}}
for address in addresses():
    if not WORDS.keys().isdisjoint(address.numbers):
        continue
    tables = [(table_of(address, number)._default_manager, column_of(number)) for number in address.numbers]
    for rows in zip(*[table.order_by("-pk").values_list(column, flat=True)[:40] for table, column in tables]):
        path = reverse(address.name, args=rows)
        answer = client.get(path)
        if answer.status_code == 200 and b"<!doctype html>" in b"".join(answer):
            found[address.name] = path
            break
    if not tables:
        answer = client.get(reverse(address.name))
        if answer.status_code == 200 and b"<!doctype html>" in b"".join(answer):  # no download, no part of a page
            found[address.name] = reverse(address.name)
print(json.dumps(found))
"""


@contextmanager
def demo_site(data_dir: Path) -> Iterator[Site]:
    """The web server as the Procfile starts it, with the demo in the database."""
    lines = (ROOT / "Procfile").read_text().splitlines()
    web = next(line.removeprefix("web:") for line in lines if line.startswith("web:"))
    environment = environment_of(data_dir)
    prepared = Site("", environment)
    prepared.manage("migrate", "--verbosity", "0")
    prepared.manage("demo")
    _, *words, bind, _ = shlex.split(web)
    assert bind == "--bind"
    with serving(words, environment) as site:
        yield site


def pages_of(site: Site, name: str) -> dict[str, str]:
    """Every page that the person can open, by the name of its address; looked for once."""
    if (site.address, name) not in _pages:
        output = site.run_script(FIND_PAGES.format(name=name))
        _pages[site.address, name] = json.loads(output.splitlines()[-1])
    return _pages[site.address, name]


_pages: dict[tuple[str, str], dict[str, str]] = {}


def logged_in(browser: Browser, site: Site, name: str) -> BrowserContext:
    context = browser.new_context(base_url=site.address, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(30_000)
    enter(context, name, PASSWORD).close()
    return context
