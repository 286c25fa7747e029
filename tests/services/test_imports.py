"""Imports as processes of their own, on both databases, and what is left of them when they are killed."""

import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.annotate.corpus.files import factscore_row, felm_row, write_rows
from tests.services.conftest import House
from tests.services.held import start_held
from tests.services.lab import PATIENT
from tests.waiting import LONGEST, wait_until

MANY = 6000


@pytest.fixture(params=["sqlite", "postgresql"])
def house(request: pytest.FixtureRequest, make_house: Callable[..., House]) -> House:
    if request.param == "sqlite":
        return make_house()
    return make_house(DATABASE_URL=request.getfixturevalue("postgres_url"))


def test_rows_come_back_as_they_went_in(house: House, tmp_path: Path):
    moon = write_rows(tmp_path / "moon.jsonl", felm_row(), felm_row("8", ref="", type=[]))
    lives = write_rows(tmp_path / "lives.jsonl", factscore_row(), factscore_row("Mary Shelley", annotations=None))
    house.manage("import_dataset", "moon", str(moon), "--format", "felm")
    house.manage("import_dataset", "lives", str(lives), "--format", "factscore", "--subject", "one")

    for name, format, file in (("moon", "felm", moon), ("lives", "factscore", lives)):
        out = tmp_path / f"{name}-out.jsonl"
        assert house.run("export_dataset", name, "--format", format, "--output", str(out)).returncode == 0
        assert out.read_text() == file.read_text()


def test_a_killed_import_shows_nothing_and_the_next_clears_it_away(house: House, tmp_path: Path):
    file = write_rows(tmp_path / "moon.jsonl", *(felm_row(str(n)) for n in range(MANY)))
    words = ("import_dataset", "moon", str(file), "--format", "felm")
    with start_held(house, *words) as running:
        running.send_signal(signal.SIGKILL)

    assert 0 < house.count("annotate_response") < MANY
    assert house.count("annotate_dataset", "ready") == 0
    patient = House({**house.environment, "RUN_LEASE_SECONDS": PATIENT})  # however slowly the command starts
    while_it_may_live = patient.run(*words)
    assert (while_it_may_live.returncode, while_it_may_live.stdout) == (1, "")
    assert "Another import into moon is under way" in while_it_may_live.stderr

    wait_until(lambda: house.run(*words).returncode == 0, "the dead import is cleared away", LONGEST)
    assert house.count("annotate_response") == MANY
    assert house.count("annotate_prompt") == MANY
    assert house.count("annotate_goldlabel") == 2 * MANY
    assert house.count("annotate_import") == 1


UPLOAD = """
from django.core.files.uploadedfile import SimpleUploadedFile
from annotate.corpus.uploads import confirm, receive
from annotate.models import User
dora = User.objects.create_superuser("dora")
confirm(receive(dora, SimpleUploadedFile("moon.jsonl", open("{file}", "rb").read()), "moon", "felm", ""))
"""


def test_a_worker_imports_what_was_uploaded(make_house: Callable[..., House], tmp_path: Path):
    house = make_house(RUN_LEASE_SECONDS=PATIENT)
    file = write_rows(tmp_path / "moon.jsonl", felm_row(), felm_row("8"))
    done = house.run("shell", "-c", UPLOAD.format(file=file))
    assert done.returncode == 0, done.stderr
    assert house.count("annotate_upload", "state = 'waiting' and confirmed_at is not null") == 1

    house.start_worker()
    wait_until(lambda: house.count("annotate_upload", "state = 'done'") == 1, "the upload is imported", LONGEST)
    assert house.count("annotate_dataset", "ready") == 1
    assert house.count("annotate_response") == 2
