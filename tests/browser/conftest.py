"""A whole Touchstone for the browser: a database of its own, the web server and a worker as they run for real.

A page is routed before it is opened: requests of a document that is there already may still go past a new route."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser import scripts
from tests.fake_openai import FakeOpenAI, fake_openai
from tests.knowledge.fetching.server import WebServer, web_server
from tests.processes import Caller, Started, run, run_program
from tests.waiting import LONGEST, wait_until

# As long as `set_default_timeout`: a slow machine fails no test.
expect.set_options(timeout=30_000)

ROOT = Path(__file__).resolve().parent.parent.parent
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
WORKER = "celery", "--app", "config", "worker", "--queues", "short,long", "--concurrency", "1", "--loglevel", "WARNING"


@dataclass
class Site:
    address: str
    environment: dict[str, str]
    _caller: Caller | None = None

    def manage(self, *words: str, **extra: str) -> str:
        """Standard output of a manage.py command on this site's database."""
        ended = run(run_program, "manage.py", *words, environment={**self.environment, **extra})
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    def run_script(self, script: str) -> str:
        """What Python code prints that runs on this site's database."""
        if self._caller is None:
            self._caller = Caller(self.environment)
        return self._caller.call(scripts.run_script, script)

    def close(self) -> None:
        """End the process of its scripts."""
        if self._caller is not None:
            self._caller.close()


# As the Procfile starts it, in one process.
WEB = ["config.wsgi", "--config", "python:config.web_server", "--workers", "1", "--threads", "8"]


def environment_of(data_dir: Path) -> dict[str, str]:
    """Of a process that knows nothing of the tests' settings."""
    variables = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {**variables, "DATA_DIR": str(data_dir), "DJANGO_SETTINGS_MODULE": "tests.served_settings"}


@contextmanager
def serving(words: Sequence[str], environment: dict[str, str]) -> Iterator[Site]:
    """A site whose web server has these words, once it answers."""
    # The server is given the port itself, held all along: of a number that was looked up, another may make use first.
    # It is a process of its own, as the Procfile starts it: one that is forked has less room to its limit of memory.
    log_file = Path(environment["DATA_DIR"]) / "server.log"
    with socket.create_server(("127.0.0.1", 0)) as port, log_file.open("wb") as log:
        site = Site(f"http://127.0.0.1:{port.getsockname()[1]}", environment)
        web = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", *words, "--bind", f"fd://{port.fileno()}"],
            cwd=ROOT,
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
            pass_fds=[port.fileno()],
        )
        try:
            wait_until(lambda: answers(f"{site.address}/login/", web), "the web server answers", LONGEST)
            yield site
        finally:
            site.close()
            os.killpg(web.pid, signal.SIGKILL)
            web.wait()


def answers(address: str, server: subprocess.Popen[bytes]) -> bool:
    """Whether the web server answers there; one that has stopped fails the test at once."""
    assert server.poll() is None, "the web server stopped"
    try:
        urllib.request.urlopen(address, timeout=10)
    except OSError:
        return False
    return True


@pytest.fixture(scope="session")
def fake_model() -> Iterator[FakeOpenAI]:
    with fake_openai() as server:
        yield server


@pytest.fixture(scope="session")
def elsewhere() -> Iterator[WebServer]:
    """The rest of the web: the worker fetches from there what people cite."""
    with web_server() as server:
        yield server


@pytest.fixture(scope="module")
def variables() -> dict[str, str]:
    """What the site of a module finds in its environment besides."""
    return {}


@pytest.fixture(scope="module")
def site(
    tmp_path_factory: pytest.TempPathFactory,
    migrated: Path,
    fake_model: FakeOpenAI,
    elsewhere: WebServer,
    variables: dict[str, str],
) -> Iterator[Site]:
    data_dir = tmp_path_factory.mktemp("site") / "data"
    shutil.copytree(migrated, data_dir)
    environment = {**environment_of(data_dir), "HEARTBEAT_SECONDS": "1", "CELERY_SKIP_CHECKS": "1", **variables}
    environment |= {"OPENAI_BASE_URL": fake_model.base_url, "OPENAI_API_KEY": "unset"}
    environment |= {"SNAPSHOT_ALLOW": f"127.0.0.1:{elsewhere.port}", "LLM_ALLOW": "127.0.0.1"}
    worker = Started(run_program, *WORKER, environment=environment)
    try:
        with serving(WEB, environment) as site:
            yield site
    finally:
        # Killed, not asked to end: a worker asked in the middle of a task may take half a minute over it.
        worker.kill()


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Iterator[Site]:
    """A site with the demo on it."""
    from tests.browser.demo import demo_site

    data_dir = tmp_path_factory.mktemp("demo") / "data"
    shutil.copytree(migrated, data_dir)
    with demo_site(data_dir) as site:
        yield site


@pytest.fixture(scope="session")
def browser(must_run: bool) -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        if must_run:
            pytest.fail("Chromium is not installed")
        pytest.skip("Chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


def enter(context: BrowserContext, name: str, password: str) -> Page:
    """Log in as the form does it, but without drawing it, and open the first page."""
    context.request.get("/login/")
    token = next(cookie["value"] for cookie in context.cookies() if cookie["name"] == "csrftoken")
    form: dict[str, str | float | bool] = {"login": name, "password": password, "csrfmiddlewaretoken": token}
    context.request.post("/login/", form=form, max_redirects=0)
    page = context.new_page()
    page.goto("/")
    expect(page.get_by_role("button", name="Log out")).to_be_visible()
    return page


@pytest.fixture
def log_in(browser: Browser, site: Site) -> Iterator:
    """Open a page as a person: each has a browser context of their own, and any script error fails the test."""
    contexts = []
    errors: list[str] = []

    def open_as(name: str, password: str) -> Page:
        context = browser.new_context(base_url=site.address, viewport={"width": 1280, "height": 900})
        contexts.append(context)
        context.set_default_timeout(30_000)
        page = enter(context, name, password)
        page.on("pageerror", lambda error: errors.append(f"{page.url}: {error}"))
        page.on("console", lambda line: line.type == "error" and errors.append(f"{page.url}: {line.text}"))
        return page

    yield open_as
    for context in contexts:
        context.close()
    assert errors == []
