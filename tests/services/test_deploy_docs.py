"""docs/deploy.md is walked as it stands: a desk is backed up, restored into a server, and upgraded."""

import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.services.conftest import ROOT, House
from tests.services.labelling import draft_version, label_once, prepare
from tests.services.test_backup import HOSTS, desk, store_database, upgraded
from tests.upgrades.store import FOLDER

__all__ = ["desk", "upgraded"]  # fixtures
BLOCK = re.compile(r"(?:^ +python manage\.py .*\n)+", re.MULTILINE)


def blocks(title: str) -> list[list[str]]:
    """The commands of a section, a list for each of its blocks."""
    section = (ROOT / "docs" / "deploy.md").read_text("utf-8").split(f"## {title}\n")[1].split("\n## ")[0]
    return [[line.strip() for line in block.splitlines()] for block in BLOCK.findall(section)]


def walk(house: House, commands: list[str], folder: Path) -> str:
    """What they print; each ends well but `doctor`, which here finds no worker."""
    printed = ""
    for command in commands:
        python, manage, *words = shlex.split(command)
        assert (python, manage) == ("python", "manage.py")
        done = subprocess.run(
            [sys.executable, ROOT / "manage.py", *words],
            cwd=folder,
            env=house.environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0 or words == ["doctor"], done.stderr
        printed += done.stdout
    return printed


def test_a_desk_is_backed_up_and_restored_into_a_server_as_it_is_written(
    desk: House, make_house: Callable[..., House], empty_postgres_url: str, tmp_path: Path
) -> None:
    encrypted, plain, restore = blocks("Back up and move")
    (tmp_path / "passphrase.txt").write_text("correct horse battery staple\n")
    desk.call(prepare)
    before = desk.call(draft_version)
    server = make_house(DATABASE_URL=empty_postgres_url, **HOSTS)

    assert "is encrypted and holds the SECRET_KEY" in walk(desk, encrypted, tmp_path)
    assert "does not hold the SECRET_KEY" in walk(desk, plain, tmp_path)
    said = walk(server, restore, tmp_path)

    assert re.search(r"^ok +migrations", said, re.MULTILINE)
    keys = {(Path(house.environment["DATA_DIR"]) / "secret_key").read_text() for house in (desk, server)}
    assert len(keys) == 1
    assert server.call(label_once) == before + 1


def test_an_upgrade_goes_as_it_is_written(desk: House, make_house: Callable[..., House], tmp_path: Path) -> None:
    backup, prepare_release, look = blocks("An upgrade")
    walk(desk, backup, tmp_path)
    assert (tmp_path / "before.zip").exists()
    assert walk(desk, ["python manage.py migrate --plan"], tmp_path).count("No planned migration operations") == 1

    older = make_house()
    store_database(Path(older.environment["DATA_DIR"]), FOLDER / "0.2.0.sql.xz")
    walk(older, prepare_release, tmp_path)
    assert re.search(r"^ok +migrations", walk(older, look, tmp_path), re.MULTILINE)


def test_retention_and_the_state_of_the_server_go_as_they_are_written(desk: House, tmp_path: Path) -> None:
    desk.environment["ANSWERS_DAYS"] = "1"
    [[dry]] = blocks("Keep and delete")
    assert "would go" in walk(desk, [dry], tmp_path)
