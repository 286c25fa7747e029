"""A site is backed up while somebody labels, moves to the other database and back, and nothing of it is lost."""

import json
import lzma
import os
import shutil
import signal
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import FileSystemStorage

from backup.archive import open_archive, read_manifest
from backup.restore import restore_backup
from backup.unfinished import NOTE
from tests.migrated import made_once, migrate, shared_folder
from tests.processes import Started, call
from tests.services.conftest import House
from tests.services.labelling import draft_version, label_once, prepare, segments_of_responses
from tests.upgrades.store import FOLDER
from tests.waiting import LONGEST, wait_until

PASSPHRASE = "correct horse battery staple"
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
    """Of every table and file, by its path in the archive, but the audit log: a restore adds its own entry."""
    with archive.open("rb") as file, open_archive(file, PASSPHRASE) as opened:
        hashes = read_manifest(opened).sha256
    del hashes["tables/audit_auditentry.jsonl"]
    return hashes


def audit_rows(archive: Path) -> list[bytes]:
    with archive.open("rb") as file, open_archive(file, PASSPHRASE) as opened:
        return opened.read("tables/audit_auditentry.jsonl").splitlines()


@pytest.fixture(scope="session")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the rows of the last stored version, to be copied."""
    return made_once(shared_folder(tmp_path_factory) / "upgraded", upgrade_stored)


def upgrade_stored(folder: Path) -> None:
    folder.mkdir()
    store_database(folder, sorted(FOLDER.glob("*.sql.xz"))[-1])
    migrate(DATA_DIR=str(folder))


def store_database(folder: Path, stored: Path) -> None:
    """In place of the data folder's own, the database of an earlier version."""
    file = folder / "db.sqlite3"
    file.unlink(missing_ok=True)
    with closing(sqlite3.connect(file)) as database:
        database.executescript(lzma.decompress(stored.read_bytes()).decode())


@pytest.fixture
def desk(make_house: Callable[..., House], upgraded: Path) -> House:
    """On SQLite, with the rows of the last stored version."""
    house = make_house(**HOSTS)
    shutil.rmtree(house.environment["DATA_DIR"])
    shutil.copytree(upgraded, house.environment["DATA_DIR"])
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
        *before_it, restored_entry = audit_rows(again)
        assert before_it == audit_rows(archive)
        assert b'"restored"' in restored_entry
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


@pytest.fixture(scope="module")
def passphrase_file(tmp_path_factory) -> str:
    file = tmp_path_factory.mktemp("secret") / "passphrase"
    file.write_text(f"{PASSPHRASE}\n")
    return str(file)


def test_an_encrypted_backup_brings_the_key_with_it(desk, make_house, passphrase_file, tmp_path):
    archive, plain, cut, changed = (tmp_path / f"{name}.backup" for name in ("whole", "plain", "cut", "changed"))
    target = make_house()
    desk.call(prepare)
    key, own = key_of(desk), "of the target: " + "k" * 50
    key_file(target).write_text(own)

    assert "It is not encrypted and does not hold the SECRET_KEY" in manage(desk, "backup", str(plain))
    said = manage(desk, "backup", str(archive), "--passphrase-file", passphrase_file)
    assert "It is encrypted and holds the SECRET_KEY." in said
    content = archive.read_bytes()
    assert b"annotate_user" in plain.read_bytes()
    assert not [word for word in (b"annotate_user", b"PK", key.encode()) if word in content[:1000] + content[-1000:]]
    cut.write_bytes(content[:-1000])
    changed.write_bytes(content[:70_000] + bytes([content[70_000] ^ 1]) + content[70_001:])
    other = tmp_path / "other"
    other.write_text("an other passphrase")

    assert "it is encrypted" in refusal(target, "restore", str(archive))
    assert "not that of the file" in refusal(target, "restore", str(archive), "--passphrase-file", str(other))
    for broken in (cut, changed):
        assert "cut off, or changed" in refusal(target, "restore", str(broken), "--passphrase-file", passphrase_file)
    assert target.count("annotate_user") == target.count("audit_auditentry") == 0
    assert key_of(target) == own

    target.environment["BACKUP_PASSPHRASE"] = PASSPHRASE
    manage(target, "restore", str(archive))
    assert key_of(target) == key
    assert target.count("annotate_user") == desk.count("annotate_user") > 0


def key_of(house: House) -> str:
    return key_file(house).read_text()


def key_file(house: House) -> Path:
    return Path(house.environment["DATA_DIR"]) / "secret_key"


def test_a_restore_that_is_killed_is_mended_by_the_next(desk, make_house, tmp_path):
    archive = tmp_path / "site.zip"
    target = make_house()
    release = desk.call(prepare)
    manage(desk, "backup", str(archive))

    with pytest.raises(EOFError):
        target.call(restore_and_die, str(archive))
    half = Path(target.environment["DATA_DIR"]) / "uploads" / release
    assert half.read_bytes() == b"a rel"
    assert target.count("annotate_user") == 0

    target = make_house(DATA_DIR=target.environment["DATA_DIR"])
    manage(target, "restore", str(archive))
    assert half.read_bytes() == b"a release"
    assert target.count("annotate_user") == desk.count("annotate_user") > 0
    assert not list((half.parent.parent).glob("*.json"))


def restore_and_die(archive: str) -> None:
    """In a process that is killed while it writes a file."""
    FileSystemStorage._save = _write_half  # type: ignore[attr-defined]
    restore_backup(Path(archive))


def _write_half(storage: FileSystemStorage, name: str, content: Any) -> str:
    path = Path(storage.path(name))
    path.parent.mkdir(parents=True, exist_ok=True)
    if name == NOTE:
        path.write_bytes(content.read())
        return name
    path.write_bytes(content.read(5))
    os.kill(os.getpid(), signal.SIGKILL)
    return name


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
