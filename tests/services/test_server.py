"""A server as docs/deploy.md has it, without containers: the processes of the Procfile on PostgreSQL and Redis, secrets
from files, Caddy with deploy/Caddyfile in front; and the way of a person through it."""

import os
import re
import shutil
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from tests.annotate.corpus.files import felm_row, write_rows
from tests.config.test_start import LONG_KEY, kept
from tests.security.forms import Form, forms_of
from tests.services.conftest import ROOT, House, free_port, lacking
from tests.services.test_metrics import scrape, value
from tests.waiting import LONGEST, wait_until

# "python manage.py …" of the section that prepares a server.
PREPARED = re.compile(r"^ +python (manage\.py (?:migrate|collectstatic|check)\b.*)$", re.MULTILINE)
WORD = "a long word of dora's"


@contextmanager
def running(words: list[str], environment: dict[str, str], log: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A process that ends its children when it is ended, as honcho does, whose children lead groups of their own; what
    they printed is printed."""
    with log.open("wb") as printed:
        process = subprocess.Popen(words, cwd=ROOT, env=environment, stdout=printed, stderr=printed)
        try:
            yield process
        finally:
            process.terminate()
            process.wait(LONGEST)
            print(log.read_text(errors="replace"))


def fetched(read: Callable[[], object], process: "subprocess.Popen[bytes]") -> bool:
    """From the process, which must not have ended."""
    assert process.poll() is None, "the process has ended"
    try:
        read()
    except (OSError, httpx2.HTTPError):
        return False
    return True


def form_at(client: httpx2.Client, path: str, field: str) -> tuple[Form, dict[str, str]]:
    """The form of the page that has the field, filled in as it stands there, and what it is sent with."""
    answer = client.get(path)
    assert answer.status_code == 200, (path, answer.status_code, answer.headers.get("location"))
    [form] = [form for form in forms_of(path, answer.content) if field in {*form.fields, *form.files}]
    return form, {**form.fields, "csrfmiddlewaretoken": client.cookies["csrftoken"]}


def send(client: httpx2.Client, path: str, fields: dict[str, str], **files: Path) -> str:
    """Where the form leads to."""
    sent = {name: (file.name, file.read_bytes()) for name, file in files.items()} or None
    answer = client.post(path, data=fields, files=sent, headers={"Referer": f"{client.base_url}{path}"})
    assert answer.status_code == 302, (path, answer.status_code, answer.text[-2000:])
    return str(answer.headers["location"])


@pytest.fixture
def environment(redis_url: str, empty_postgres_url: str, tmp_path: Path) -> dict[str, str]:
    """Of a server whose secrets stand in files."""
    folder = tmp_path / "secrets"
    folder.mkdir()
    words = {"SECRET_KEY": LONG_KEY, "DATABASE_URL": empty_postgres_url, "CELERY_BROKER_URL": redis_url}
    for name, text in words.items():
        (folder / name).write_text(f"{text}\n")
    return {
        **kept(),
        **{f"{name}_FILE": str(folder / name) for name in words},
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "DEBUG": "false",
        "ALLOWED_HOSTS": "localhost",
        "BEHIND_PROXY": "true",
        "CACHE_URL": redis_url.replace("/0", "/1"),
        "DATA_DIR": str(tmp_path / "data"),
        "METRICS_ADDRESS": f"127.0.0.1:{free_port()}",
    }


def test_from_the_docs_to_a_result(environment: dict[str, str], tmp_path: Path, must_run: bool) -> None:
    caddy = shutil.which("caddy")
    if caddy is None:
        lacking("caddy", must_run)
    web, tls = free_port(), free_port()
    environment["SITE_URL"] = f"https://localhost:{tls}"
    prepared = PREPARED.findall((ROOT / "docs" / "deploy.md").read_text(encoding="utf-8").split("## A server")[1])
    assert [words.split()[1] for words in prepared[:3]] == ["migrate", "collectstatic", "check"]
    for words in [*prepared[:3], "manage.py createsuperuser --no-input --username dora --email dora@lab.example"]:
        done = subprocess.run(
            [sys.executable, *words.split()],
            cwd=ROOT,
            env={**environment, "DJANGO_SUPERUSER_PASSWORD": WORD},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr

    proxied = {**kept(), "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    proxied |= {"SITE": environment["SITE_URL"], "WEB": f"127.0.0.1:{web}"}
    proxied |= {"HTTP_PORT": str(free_port()), "ADMIN": f"localhost:{free_port()}"}
    house = House({**environment, "DATABASE_URL": (tmp_path / "secrets" / "DATABASE_URL").read_text().strip()})
    root = tmp_path / "caddy" / "pki" / "authorities" / "local" / "root.crt"
    python = [sys.executable, "-m"]
    with (
        running([*python, "honcho", "start", "--port", str(web)], environment, tmp_path / "processes.log") as site,
        running([sys.executable, "manage.py", "metrics"], environment, tmp_path / "metrics.log") as metrics,
        running([caddy, "run", "--config", "deploy/Caddyfile"], proxied, tmp_path / "caddy.log") as proxy,
    ):
        ready = f"http://127.0.0.1:{web}/readyz"
        wait_until(
            lambda: fetched(lambda: urllib.request.urlopen(ready).close(), site), "the web server is ready", LONGEST
        )
        wait_until(lambda: house.living() == 2, "a worker of each queue lives", LONGEST)
        wait_until(root.exists, "the proxy has a certificate", LONGEST)
        trusted = ssl.create_default_context(cafile=str(root))
        with httpx2.Client(base_url=environment["SITE_URL"], verify=trusted, timeout=LONGEST) as dora:
            wait_until(lambda: fetched(lambda: dora.get("/healthz"), proxy), "the proxy answers", LONGEST)
            run = walk(dora, write_rows(tmp_path / "moon.jsonl", felm_row(), felm_row("8")))
            assert run == "Finished"
        address = environment["METRICS_ADDRESS"]
        wait_until(lambda: fetched(lambda: scrape(address), metrics), "metrics are served", LONGEST)
        counted = scrape(address)
    assert value(counted, "touchstone_requests_total", view="upload-confirm", status="302") == 1
    assert value(counted, "touchstone_jobs", kind="run", state="finished") == 1
    assert value(counted, "touchstone_workers", queue="long") == 1


def walk(dora: httpx2.Client, file: Path) -> str:
    """Log in, import the file, run `lexical`; the state that its page shows at the end."""
    form, fields = form_at(dora, "/login/", "password")
    send(dora, form.path, fields | {"login": "dora", "password": WORD})
    assert all(cookie.secure for cookie in dora.cookies.jar)

    form, fields = form_at(dora, "/import/", "file")
    fields |= {"dataset_name": "moon", "format": "felm"}
    upload = send(dora, form.path, fields, file=file)
    send(dora, f"{upload}confirm/", {"csrfmiddlewaretoken": fields["csrfmiddlewaretoken"]})
    link = re.compile(r"/datasets/(\d+)/")
    dataset = wait_until(lambda: link.search(dora.get(upload).text), "the file is imported", LONGEST)[1]

    form, fields = form_at(dora, f"/datasets/{dataset}/runs/new/?method=lexical", "name")
    page = send(dora, f"/datasets/{dataset}/runs/new/?method=lexical", fields)
    state = re.compile(r'<(?:strong|span class="state \w+")>(Finished|Stopped|Failed)')
    return wait_until(lambda: state.search(dora.get(page).text), "the run ends", LONGEST)[1]
