"""Real Celery workers on a run, killed, doubled and stopped: each prediction is there exactly once."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.fake_openai import FakeOpenAI
from tests.services.conftest import House
from tests.waiting import wait_until

RESPONSES = 60
SEGMENTS = 3
IN_FLIGHT = 8


@pytest.fixture(params=["file system and SQLite", "Redis and PostgreSQL"])
def house(request: pytest.FixtureRequest, make_house: Callable[..., House]) -> House:
    if request.param == "file system and SQLite":
        return make_house()
    return make_house(
        CELERY_BROKER_URL=request.getfixturevalue("redis_url"), DATABASE_URL=request.getfixturevalue("postgres_url")
    )


def fill(house: House, folder: Path) -> None:
    """A dataset "lab" of 60 responses with 3 segments each; every third response has something wrong in it."""
    rows = [
        {
            "prompt": f"What is {n} and one?",
            "response": f"It is {n + 1}. So it is. Ask again.",
            "segments": [f"It is {n + 1}.", "So it is wrong." if n % 3 == 0 else "So it is.", "Ask again."],
        }
        for n in range(RESPONSES)
    ]
    file = folder / "lab.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    house.manage("import_dataset", "lab", str(file), "--format", "responses")


def evaluate(house: House) -> int:
    """The number of a run, queued."""
    made = house.manage("evaluate", "lab", "felm-segment", "--model", "m", "--param", f"in_flight={IN_FLIGHT}")
    return made["run"]


def state(house: House, run: int) -> str:
    return house.ask(f"select state from evaluators_run where id = {run}")[0][0]


def check_complete(house: House, run: int) -> None:
    """Finished, and a prediction for each of the 180 segments, none twice; 20 of them errors."""
    assert state(house, run) == "finished"
    of_run = f"run_id = {run}"
    assert house.count("evaluators_prediction", of_run) == RESPONSES * SEGMENTS
    assert house.ask(f"select count(distinct segment_id) from evaluators_prediction where {of_run}") == [(180,)]
    assert house.count("evaluators_prediction", f"{of_run} and value = 'not_supported'") == RESPONSES / 3
    assert house.count("evaluators_runitem", f"{of_run} and state = 'done'") == RESPONSES


def test_a_killed_worker_loses_nothing_and_doubles_nothing(house, model: FakeOpenAI, tmp_path):
    fill(house, tmp_path)
    model.control(latency=0.4)
    worker = house.start_worker()
    run = evaluate(house)
    wait_until(lambda: house.count("evaluators_prediction") >= 30, "predictions are stored")
    house.kill(worker)
    assert state(house, run) == "running"
    assert house.count("evaluators_runitem", "state = 'leased'") > 0

    house.start_worker()
    wait_until(lambda: state(house, run) == "finished", "the run ends")
    check_complete(house, run)
    # What was under way when the worker died is asked again, and nothing else: calls in flight, and answers that were
    # not stored yet (for some hundredths of a second, at most as many again).
    assert RESPONSES <= model.stats()["total"] <= RESPONSES + 2 * IN_FLIGHT


def test_two_workers_and_many_knocks_do_each_item_once(make_house, redis_url, postgres_url, model, tmp_path):
    house = make_house(CELERY_BROKER_URL=redis_url, DATABASE_URL=postgres_url)
    fill(house, tmp_path)
    model.control(latency=0.2)
    run = evaluate(house)
    knocks = f"from evaluators.runs.tasks import work_on_run; [work_on_run.delay({run}) for _ in range(5)]"
    assert house.run("shell", "-c", knocks).returncode == 0
    house.start_workers(2)
    wait_until(lambda: state(house, run) == "finished", "the run ends")
    check_complete(house, run)
    assert model.stats()["total"] == RESPONSES


def test_two_processes_share_a_run_without_meeting(make_house, postgres_url, model, tmp_path):
    house = make_house(DATABASE_URL=postgres_url)
    fill(house, tmp_path)
    model.control(latency=0.1)
    run = evaluate(house)
    # The same run again is that run, and --wait works on it beside whoever else does.
    again = ["evaluate", "lab", "felm-segment", "--model", "m", "--param", f"in_flight={IN_FLIGHT}", "--wait"]
    with ThreadPoolExecutor(2) as both:
        reports = list(both.map(lambda _: house.manage(*again), range(2)))
    assert [(report["run"], report["state"]) for report in reports] == [(run, "finished")] * 2
    check_complete(house, run)
    assert model.stats()["total"] == RESPONSES


def test_a_cancelled_run_stops_and_can_be_resumed(make_house, model, tmp_path):
    house = make_house()
    fill(house, tmp_path)
    model.control(latency=0.4)
    house.start_worker()
    run = evaluate(house)
    wait_until(lambda: house.count("evaluators_prediction") > 0, "predictions are stored")
    cancel = f"from evaluators.runs.cancel import *; cancel_run(Run.objects.get(pk={run}))"
    assert house.run("shell", "-c", cancel).returncode == 0
    wait_until(lambda: house.count("evaluators_runitem", "state = 'leased'") == 0, "the worker lets go")
    assert state(house, run) == "cancelled"
    assert 0 < house.count("evaluators_prediction") < RESPONSES * SEGMENTS

    assert house.manage("resume_runs", str(run)) == {"resumed": [run]}
    wait_until(lambda: state(house, run) == "finished", "the run ends")
    check_complete(house, run)
    assert model.stats()["total"] <= RESPONSES + 2 * IN_FLIGHT
