"""A site is backed up while somebody labels, moves to the other database and back, and nothing of it is lost."""

import json
import lzma
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.processes import Started, call
from tests.services.conftest import House
from tests.services.labelling import draft_version, label_once, prepare, segments_of_responses
from tests.upgrades.store import FOLDER
from tests.waiting import LONGEST, wait_until

HOSTS = {"ALLOWED_HOSTS": "testserver"}  # Ada asks by Django's test client


def manage(house: House, *words: str) -> str:
    done = house.run(*words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refusal(house: House, *words: str) -> str:
    done = house.run(*words)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    return done.stderr


def hashes_in(archive: Path) -> dict[str, str]:
    """Of every table and file, by its path in the archive."""
    with zipfile.ZipFile(archive) as opened:
        return json.loads(opened.read("manifest.json"))["sha256"]


@pytest.fixture
def desk(make_house: Callable[..., House]) -> House:
    """On SQLite, with the rows of the last stored version."""
    house = make_house(**HOSTS)
    file = Path(house.environment["DATA_DIR"]) / "db.sqlite3"
    file.unlink()
    with closing(sqlite3.connect(file)) as database:
        database.executescript(lzma.decompress(sorted(FOLDER.glob("*.sql.xz"))[-1].read_bytes()).decode())
    manage(house, "migrate", "--verbosity", "0")
    return house


def back_up_under_load(house: House, archive: Path) -> tuple[int, int]:
    """The versions of the draft that were acknowledged before and after it."""
    saved, end = archive.with_suffix(".saved"), archive.with_suffix(".end")
    labelling = "tests.services.labelling.label_on"
    ada = Started(call, labelling, str(saved), str(end), environment=house.environment)
    wait_until(saved.exists, "Ada has saved", LONGEST)
    before = int(saved.read_text())
    manage(house, "backup", str(archive))
    wait_until(lambda: int(saved.read_text()) > before, "Ada saves meanwhile", LONGEST)
    end.touch()
    ended = ada.wait()
    assert ended.returncode == 0, ended.stderr
    return before, int(saved.read_text())


def test_a_desk_moves_to_a_server_and_back_while_somebody_labels(desk, make_house, postgres_url, tmp_path):
    release = desk.call(prepare)
    source = desk
    for target in (make_house(DATABASE_URL=postgres_url, **HOSTS), make_house(**HOSTS)):
        archive, again = tmp_path / f"{id(target)}.zip", tmp_path / f"{id(target)}-again.zip"
        before, after = back_up_under_load(source, archive)
        manage(target, "restore", str(archive))
        manage(target, "backup", str(again))

        assert hashes_in(again) == hashes_in(archive)
        assert len(hashes_in(archive)) > 100
        assert (Path(target.environment["DATA_DIR"]) / "uploads" / release).read_bytes() == b"a release"
        # What was acknowledged is there, and what was saved in one transaction is there whole.
        restored = target.call(draft_version)
        assert before <= restored <= after
        assert target.call(segments_of_responses) == {3}
        # Numbers of new rows go on, and the audit log is as closed as before.
        assert target.call(label_once) == restored + 1
        with pytest.raises(Exception, match="append-only"):
            target.write("DELETE FROM audit_auditentry")
        source = target


def test_what_cannot_be_restored_changes_nothing(desk, make_house, tmp_path):
    archive, broken, cut = tmp_path / "whole.zip", tmp_path / "broken.zip", tmp_path / "cut.zip"
    release = desk.call(prepare)
    manage(desk, "backup", str(archive))
    with zipfile.ZipFile(archive) as whole, zipfile.ZipFile(broken, "w") as other:
        for name in whole.namelist():
            content = whole.read(name)
            other.writestr(name, content.replace(b"under load", b"under lead") if "user.jsonl" in name else content)
    cut.write_bytes(archive.read_bytes()[:-1000])
    target = make_house()

    assert "annotate_user.jsonl in it is not what was backed up" in refusal(target, "restore", str(broken))
    assert "cut off" in refusal(target, "restore", str(cut))
    assert "No such file" in refusal(target, "restore", str(tmp_path / "none.zip"))
    assert "the database is not empty" in refusal(desk, "restore", str(archive))
    assert "is there already" in refusal(desk, "backup", str(archive))
    assert target.count("annotate_user") == 0
    uploads = Path(target.environment["DATA_DIR"]) / "uploads"
    (uploads / release).parent.mkdir(parents=True)
    (uploads / release).write_bytes(b"another")
    assert "is there already with other content" in refusal(target, "restore", str(archive))
    (uploads / release).unlink()

    manage(target, "restore", str(archive))
    users = target.count("annotate_user")
    target.write("DELETE FROM annotate_viewreceipt")
    manage(target, "restore", str(archive), "--replace")
    assert target.count("annotate_user") == users == desk.count("annotate_user")
    assert target.count("annotate_viewreceipt") == desk.count("annotate_viewreceipt") > 0


def test_a_backup_of_another_version_is_refused(desk, make_house, tmp_path):
    archive, later = tmp_path / "whole.zip", tmp_path / "later.zip"
    manage(desk, "backup", str(archive))
    with zipfile.ZipFile(archive) as whole, zipfile.ZipFile(later, "w") as other:
        for name in whole.namelist():
            content = whole.read(name)
            if name == "manifest.json":
                manifest = json.loads(content)
                manifest["migrations"].append("annotate.0999_later")
                content = json.dumps({**manifest, "version": "9.9"}).encode()
            other.writestr(name, content)

    assert "it is of version 9.9 with other tables" in refusal(make_house(), "restore", str(later))
