"""A database of each earlier version, with rows in every table, comes to this version whole."""

import json
import subprocess
import sys

import pytest

from tests.services.conftest import ROOT
from tests.upgrades.store import FOLDER, migrations, read_frozen
from tests.waiting import LONGEST

STORED = sorted(FOLDER.glob("*.sql.xz"))


def test_no_migration_of_a_released_version_has_changed():
    frozen = read_frozen()
    assert frozen
    assert {path: digest for path, digest in migrations().items() if path in frozen} == frozen


@pytest.mark.parametrize("stored", STORED, ids=lambda path: path.name.removesuffix(".sql.xz"))
@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_a_database_of_an_earlier_version_keeps_every_row_and_opens_every_page(
    stored, database, request, tmp_path, make_house
):
    house = make_house(
        DATA_DIR=str(tmp_path / "stored"),
        **({"DATABASE_URL": request.getfixturevalue("empty_postgres_url")} if database == "PostgreSQL" else {}),
    )
    restored = subprocess.run(
        [sys.executable, "-m", "tests.upgrades.restore", stored],
        cwd=ROOT,
        env=house.environment,
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )
    assert restored.returncode == 0, restored.stderr
    result = json.loads(restored.stdout)
    assert {name: rows for name, (rows, now) in result["tables"].items() if rows != now} == {}
    assert {address: status for address, status in result["pages"].items() if status >= 500} == {}
    assert result["drafts"]
    for draft, shown, kept, answer in result["drafts"]:
        assert draft == shown == kept and "version" in answer
    assert list(result["pages"].values()).count(200) > len(result["pages"]) / 2
