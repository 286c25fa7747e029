"""Uploads and releases in an S3-compatible store: machines share them, and a backup takes them along."""

import json
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile

from annotate.corpus.uploads import confirm, receive
from annotate.models import Dataset, Upload
from tests.factories import make_person
from tests.services.conftest import House, free_port, lacking
from tests.services.test_backup import manage
from tests.waiting import LONGEST, wait_until

ROWS = b'{"prompt": "Which?", "response": "One is odd. Two is even."}\n'
KEYS = {"AWS_ACCESS_KEY_ID": "lab", "AWS_SECRET_ACCESS_KEY": "secret of the lab"}


@pytest.fixture(scope="module")
def store(must_run: bool) -> Iterator[str]:
    """The address of an S3 server over HTTP, without a bucket."""
    for package in ("moto", "storages"):
        if find_spec(package) is None:
            lacking(package, must_run)
    port = free_port()
    command = [sys.executable, "-m", "moto.server", "--host", "127.0.0.1", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        wait_until(lambda: answers(port), "the store answers", LONGEST)
        yield f"http://127.0.0.1:{port}"
        server.terminate()


def answers(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def make_machine(make_house: Callable[..., House], store: str) -> Callable[..., House]:
    def make(bucket: str, **environment: str) -> House:
        return make_house(STORAGE_URL=f"s3://{bucket}/site?endpoint={store}&region=us-east-1", **KEYS, **environment)

    return make


def make_bucket() -> None:
    storage: Any = default_storage
    storage.connection.create_bucket(Bucket=storage.bucket_name)


def upload() -> str:
    """A file that is checked and confirmed; its name in the store."""
    dora = make_person("dora")
    dora.is_superuser = True
    dora.save()
    row = receive(dora, SimpleUploadedFile("poems.jsonl", ROWS), "poems", "responses", "")
    confirm(row)
    return str(row.file.name)


def is_stored(name: str) -> bool:
    return default_storage.exists(name)


def state_of_upload() -> str:
    return Upload.objects.get().state


def responses() -> int:
    return Dataset.objects.get(name="poems").responses.count()


def keep(text: str) -> str:
    return default_storage.save("releases/poems.zip", ContentFile(text.encode()))


def read(name: str) -> str:
    with default_storage.open(name) as file:
        return file.read().decode()


def test_a_worker_on_another_machine_imports_what_a_page_took_in(
    make_machine: Callable[..., House], postgres_url: str, redis_url: str
) -> None:
    shared = {"DATABASE_URL": postgres_url, "CELERY_BROKER_URL": redis_url}
    web, other = make_machine("shared", **shared), make_machine("shared", **shared)
    assert web.environment["DATA_DIR"] != other.environment["DATA_DIR"]
    web.call(make_bucket)

    name = web.call(upload)
    assert web.call(is_stored, name)
    other.start_worker()
    wait_until(lambda: web.call(state_of_upload) == "done", "the upload is imported", LONGEST)

    assert web.call(responses) == 1
    assert not web.call(is_stored, name)
    assert not list(Path(web.environment["DATA_DIR"]).rglob("poems*"))


def test_a_name_that_is_taken_is_not_written_again(make_machine: Callable[..., House]) -> None:
    house = make_machine("names")
    house.call(make_bucket)
    first, second = house.call(keep, "first"), house.call(keep, "second")
    assert first != second
    assert (house.call(read, first), house.call(read, second)) == ("first", "second")


def test_a_site_moves_from_a_folder_to_a_bucket_and_back(
    make_machine: Callable[..., House], make_house: Callable[..., House], tmp_path: Path
) -> None:
    desk, server, again = make_house(), make_machine("moved"), make_house()
    name = desk.call(upload)
    server.call(make_bucket)
    manage(desk, "backup", str(tmp_path / "desk.zip"))
    manage(server, "restore", str(tmp_path / "desk.zip"))
    assert server.call(read, name) == ROWS.decode()
    assert not (Path(server.environment["DATA_DIR"]) / "uploads").exists()
    manage(server, "backup", str(tmp_path / "server.zip"))
    manage(again, "restore", str(tmp_path / "server.zip"))
    assert (Path(again.environment["DATA_DIR"]) / "uploads" / name).read_bytes() == ROWS


def test_a_bucket_that_is_not_there_is_named_by_the_doctor(make_machine: Callable[..., House]) -> None:
    house = make_machine("nowhere")
    findings = {line["sentence"] for line in _findings(house) if line["name"] == "storage"}
    assert any("NoSuchBucket" in sentence for sentence in findings)
    house.call(make_bucket)
    assert not any("NoSuchBucket" in line["sentence"] for line in _findings(house) if line["name"] == "storage")


def _findings(house: House) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(house.run("doctor", "--json").stdout)["findings"]
    return found
