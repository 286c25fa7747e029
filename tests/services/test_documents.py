"""Documents into a knowledge source as processes of their own, on both databases."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.services.conftest import ROOT, House
from tests.services.held import start_held
from tests.services.lab import PATIENT
from tests.waiting import LONGEST

MANY = 3000
SEARCH = """
from knowledge.models import KnowledgeSource
from knowledge.search import search
hits = search(KnowledgeSource.objects.get(), "Do bees number 7 dance?", 2, topic="bee  7")
print([(hit.document.title, hit.text, hit.of_topic) for hit in hits])
"""


@pytest.fixture(params=["sqlite", "postgresql"])
def house(request: pytest.FixtureRequest, make_house: Callable[..., House]) -> House:
    if request.param == "sqlite":
        return make_house()
    return make_house(DATABASE_URL=request.getfixturevalue("postgres_url"))


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    path = tmp_path / "bees.jsonl"
    rows = ({"title": f"Bee {n}", "text": f"🐝 This is number {n}. Its sisters dance."} for n in range(MANY))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def start(house: House, pages: Path) -> subprocess.Popen[str]:
    words = ("import_documents", "insects", str(pages), "--json")
    return subprocess.Popen(
        [sys.executable, "manage.py", *words],
        cwd=ROOT,
        env=house.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_killed_import_shows_nothing_and_the_next_clears_it_away(house: House, pages: Path):
    house.environment["RUN_LEASE_SECONDS"] = PATIENT
    with start_held(house, "import_documents", "insects", str(pages)) as running:
        running.send_signal(signal.SIGKILL)

    assert 0 < house.count("knowledge_document") < MANY
    assert house.count("knowledge_knowledgesource", "revision > 0") == 0
    while_it_may_live = house.run("import_documents", "insects", str(pages))
    assert (while_it_may_live.returncode, while_it_may_live.stdout) == (1, "")
    assert "another import into insects is under way" in while_it_may_live.stderr

    house.environment["RUN_LEASE_SECONDS"] = "0.5"
    assert house.manage("import_documents", "insects", str(pages))["created"] == MANY
    assert house.count("knowledge_document") == MANY
    found = "[('Bee 7', '🐝 This is number 7. Its sisters dance.', True)"
    assert found in house.run("shell", "-v", "0", "-c", SEARCH).stdout


def test_of_two_imports_at_once_each_document_comes_in_once(house: House, pages: Path):
    house.environment["RUN_LEASE_SECONDS"] = PATIENT
    both = [start(house, pages) for _ in range(2)]
    said = [process.communicate(timeout=LONGEST) for process in both]

    assert 0 in [process.returncode for process in both]
    for process, (_, error) in zip(both, said, strict=True):
        assert process.returncode == 0 or "another import into insects is under way" in error
    assert house.count("knowledge_document") == MANY
    assert house.count("knowledge_passage") == MANY
    assert house.count("knowledge_knowledgesource", "revision = 1 and writer = ''") == 1
