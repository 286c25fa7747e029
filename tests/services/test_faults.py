"""What fails around a run, on real services: it ends complete, or stops, says why, and goes on to the same end."""

import resource
import subprocess
import sys

import psycopg

from tests.fake_openai import FakeOpenAI
from tests.services.conftest import ROOT, House
from tests.services.test_workers import check_complete, evaluate, fill, state
from tests.waiting import wait_until

END_CONNECTIONS = """
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
"""


def some_predictions(house: House) -> None:
    wait_until(lambda: house.count("evaluators_prediction") >= 30, "predictions are stored")


def test_answers_that_break_off_are_asked_again(make_house, model: FakeOpenAI, tmp_path):
    house = make_house()
    fill(house, tmp_path)
    model.control(break_first=5)
    run = evaluate(house)
    assert house.manage("resume_runs", str(run)) == {"resumed": [run]}
    house.start_worker()
    wait_until(lambda: state(house, run) == "finished", "the run ends")
    check_complete(house, run)


def test_a_database_that_ends_every_connection_loses_and_doubles_nothing(
    make_house, redis_url, postgres_url, model, tmp_path
):
    house = make_house(CELERY_BROKER_URL=redis_url, DATABASE_URL=postgres_url)
    fill(house, tmp_path)
    model.control(latency=0.3)
    house.start_worker()
    run = evaluate(house)
    some_predictions(house)
    with psycopg.connect(postgres_url, autocommit=True) as database:
        database.execute(END_CONNECTIONS)
    wait_until(lambda: state(house, run) == "finished", "the run ends")
    check_complete(house, run)
    assert house.count("evaluators_runitem", "attempts > 0") == 0


def fill_disk() -> None:
    """In the process that calls it, no file can be written beyond its first 300 kB."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))


def test_a_full_disk_ends_the_command_with_a_sentence_and_spares_every_item(make_house, model, tmp_path):
    house = make_house()
    fill(house, tmp_path)
    run = evaluate(house)
    again = ["evaluate", "lab", "felm-segment", "--model", "m", "--param", "in_flight=8", "--wait"]
    stopped = subprocess.run(
        [sys.executable, "manage.py", *again],
        cwd=ROOT,
        env=house.environment,
        capture_output=True,
        text=True,
        preexec_fn=fill_disk,
    )
    assert stopped.returncode == 1
    assert "Traceback" not in stopped.stderr
    assert f"Run {run} is kept" in stopped.stderr
    assert house.count("evaluators_runitem", "state = 'failed'") == 0

    assert house.manage(*again)["state"] == "finished"
    check_complete(house, run)
