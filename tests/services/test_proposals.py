"""Real Celery workers on proposals, one of them killed: each response gets its facts exactly once."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fake_openai import FakeOpenAI
from tests.services.conftest import House
from tests.waiting import LONGEST, wait_until

RESPONSES = 24


@pytest.fixture(params=["file system and SQLite", "Redis and PostgreSQL"])
def house(request: pytest.FixtureRequest, make_house: Callable[..., House]) -> House:
    if request.param == "file system and SQLite":
        return make_house()
    return make_house(
        CELERY_BROKER_URL=request.getfixturevalue("redis_url"), DATABASE_URL=request.getfixturevalue("postgres_url")
    )


def settled(house: House) -> int:
    return house.count("annotate_proposal", "state = 'done'")


def test_a_killed_worker_loses_nothing_and_doubles_nothing(house: House, model: FakeOpenAI, tmp_path: Path) -> None:
    rows = [
        {"topic": f"Person {n}", "prompt": f"Who is {n}?", "response": f"Person {n} painted and sang. She lived."}
        for n in range(RESPONSES)
    ]
    file = tmp_path / "lives.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    house.manage("import_dataset", "lives", str(file), "--format", "responses-for-facts", "--subject", "amber")
    model.control(answers=16)
    worker = house.start_worker()
    assert house.manage("propose", "lives", "facts", "--model", "tiny")["waiting"] == RESPONSES
    wait_until(lambda: settled(house) >= 4, "some facts are stored", LONGEST)
    house.kill(worker)
    assert settled(house) < RESPONSES
    model.control(answers=None)

    house.start_worker()
    wait_until(lambda: settled(house) == RESPONSES, "all facts are stored", LONGEST)

    assert house.count("annotate_factset") == RESPONSES
    assert house.count("annotate_atomicfact") == 3 * RESPONSES
    assert house.count("annotate_proposal") == RESPONSES
