"""What fails around a run, on real services: it ends complete, or stops, says why, and goes on to the same end."""

import resource
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from tests.fake_openai import FakeOpenAI, fake_openai
from tests.services.conftest import ROOT, House, free_port, printed_by, redis_server
from tests.services.lab import (
    EVALUATE,
    IN_FLIGHT,
    PATIENT,
    RESPONSES,
    SEGMENTS,
    check_complete,
    evaluate,
    fill,
    state,
    wait_for_end,
    wait_for_predictions,
    wait_for_state,
)
from tests.waiting import LONGEST, wait_until

KILLED_AT = {0: 0, 30: 18, 90: 28}  # predictions stored, of 180: answers that the worker is given, and no more
END_CONNECTIONS = """
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
"""


def test_an_undisturbed_run_says_what_the_others_are_held_to(house, tmp_path):
    fill(house, tmp_path)
    check_complete(house, house.manage(*EVALUATE, "--wait")["run"])


def test_workers_killed_at_any_moment_lose_nothing_and_double_nothing(house, model: FakeOpenAI, tmp_path):
    house.environment["RUN_LEASE_SECONDS"] = PATIENT
    fill(house, tmp_path)
    run = evaluate(house)
    for stored, answers in KILLED_AT.items():
        answered = model.stats()["total"] + answers
        model.control(answers=answered)
        worker = house.start_worker()
        wait_for_predictions(house, stored)
        wait_until(lambda answered=answered: model.stats()["total"] > answered, "calls are under way", LONGEST)
        house.kill(worker)
        assert state(house, run) == "running"
        assert house.count("evaluators_runitem", "state = 'leased'") > 0
        let_leases_run_out(house)
    model.control(answers=None)
    house.start_worker()
    wait_for_end(house, run)
    # What was under way when a worker died is asked again, and nothing else: calls in flight, and answers that were not
    # stored yet (for some hundredths of a second, at most as many again).
    assert RESPONSES <= model.stats()["total"] <= RESPONSES + len(KILLED_AT) * 2 * IN_FLIGHT


def let_leases_run_out(house: House) -> None:
    """As if the time had passed: no worker lives to renew them."""
    house.write("update evaluators_runitem set lease_until = '2001-01-01 00:00:00+00:00' where state = 'leased'")
    house.write("update evaluators_run set enqueued_at = null")


def test_a_worker_killed_while_a_batch_is_at_the_server_submits_it_once(house, model: FakeOpenAI, tmp_path):
    fill(house, tmp_path)
    model.control(batches="running")
    worker = house.start_worker()
    run = house.manage(*EVALUATE, "--batch-api")["run"]
    wait_until(lambda: model.stats()["batches"], "a batch is submitted", LONGEST)
    house.kill(worker)
    assert state(house, run) == "running"

    model.control(batches="completed")
    let_leases_run_out(house)
    house.write("update llm_requestbatch set lease_until = '2001-01-01 00:00:00+00:00' where state = 'leased'")
    house.write("update llm_requestbatch set not_before = null, enqueued_at = null")
    house.start_worker()
    wait_for_end(house, run)
    assert (model.stats()["total"], len(model.stats()["batches"])) == (0, 1)


def test_an_endpoint_that_is_away_for_a_while_is_waited_for(house, tmp_path):
    fill(house, tmp_path)
    port = free_port()
    house.environment["OPENAI_BASE_URL"] = f"http://127.0.0.1:{port}/v1"
    with fake_openai(port, answers=IN_FLIGHT):
        house.start_worker()
        run = evaluate(house)
        wait_for_predictions(house, 1)
    assert house.count("evaluators_prediction") < RESPONSES * SEGMENTS
    check_refused(port)
    with fake_openai(port):
        wait_for_end(house, run)
    assert house.count("llm_call", "attempts > 1") > 0
    assert house.count("evaluators_runitem", "attempts > 1") == 0


def test_an_endpoint_that_stays_away_stops_the_run_which_goes_on_when_it_is_back(house, tmp_path):
    fill(house, tmp_path)
    port = free_port()
    house.environment |= {"OPENAI_BASE_URL": f"http://127.0.0.1:{port}/v1", "MODEL_ATTEMPTS": "2"}
    with fake_openai(port, answers=IN_FLIGHT):
        house.start_worker()
        run = evaluate(house)
        wait_for_predictions(house, 1)
    assert house.count("evaluators_prediction") < RESPONSES * SEGMENTS
    wait_for_state(house, run, "failed")
    assert "cannot be reached" in house.ask(f"select error from evaluators_run where id = {run}")[0][0]
    assert house.count("evaluators_runitem", "state = 'failed'") == 0
    assert house.count("evaluators_prediction") > 0

    with fake_openai(port):
        assert house.manage("resume_runs", str(run)) == {"resumed": [run]}
        wait_for_end(house, run)


def check_refused(port: int) -> None:
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), LONGEST)


def test_answers_that_break_off_are_asked_again(house, model: FakeOpenAI, tmp_path):
    fill(house, tmp_path)
    model.control(break_first=20)
    check_complete(house, house.manage(*EVALUATE, "--wait")["run"])
    assert model.stats()["total"] > RESPONSES
    assert house.count("llm_call", "attempts > 1") > 0


def test_a_broker_that_is_started_again_empty_holds_up_no_run(make_house, redis_program, postgres_url, model, tmp_path):
    port = free_port()
    house = make_house(CELERY_BROKER_URL=f"redis://127.0.0.1:{port}/0", DATABASE_URL=postgres_url)
    fill(house, tmp_path)
    model.control(latency=0.2)
    with redis_server(redis_program, port, tmp_path):
        house.start_worker()
        first = evaluate(house)
        wait_for_predictions(house)
    second = unheard_run(house)
    with redis_server(redis_program, port, tmp_path):
        wait_for_end(house, first)
        wait_for_end(house, second)


def test_an_embedded_queue_that_is_emptied_holds_up_no_run(make_house, tmp_path):
    house = make_house()
    fill(house, tmp_path)
    run = evaluate(house)
    messages = list((Path(house.environment["DATA_DIR"]) / "queue" / "messages").iterdir())
    assert messages
    for message in messages:
        message.unlink()
    house.start_worker()
    wait_for_end(house, run)


def unheard_run(house: House) -> int:
    """A run that no worker is told of: it waits in the database until one sweeps."""
    made = house.run(*EVALUATE, "--force", "--json")
    assert made.returncode == 0, made.stderr
    assert "The queue cannot be reached" in made.stderr
    return house.ask("select max(id) from evaluators_run")[0][0]


def test_a_database_that_ends_every_connection_loses_and_doubles_nothing(
    make_house, redis_url, postgres_url, model, tmp_path
):
    house = make_house(CELERY_BROKER_URL=redis_url, DATABASE_URL=postgres_url)
    fill(house, tmp_path)
    model.control(latency=0.3)
    house.start_worker()
    run = evaluate(house)
    wait_for_predictions(house)
    with psycopg.connect(postgres_url, autocommit=True) as database:
        database.execute(END_CONNECTIONS)
    wait_for_end(house, run)
    assert house.count("evaluators_runitem", "attempts > 1") == 0


def test_a_database_that_somebody_locks_for_a_while_is_waited_for(make_house, model: FakeOpenAI, tmp_path):
    house = make_house()
    fill(house, tmp_path)
    model.control(answers=12)
    house.start_worker()
    run = evaluate(house)
    wait_for_predictions(house)
    file = Path(house.environment["DATA_DIR"]) / "db.sqlite3"
    with closing(sqlite3.connect(file, isolation_level=None, timeout=LONGEST)) as database:
        database.execute("begin immediate")
        model.control(answers=None)
        wait_until(lambda: model.stats()["in_flight"] == 0, "everybody waits for the database", LONGEST)
        assert state(house, run) == "running"
        database.execute("rollback")
    wait_for_end(house, run)
    assert house.count("evaluators_runitem", "attempts > 1") == 0


def fill_disk() -> None:
    """In the process that calls it, no file can be written beyond its first 300 kB."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))


def test_a_full_disk_under_sqlite_ends_the_command_with_a_sentence_and_spares_every_item(make_house, model, tmp_path):
    house = make_house()
    fill(house, tmp_path)
    run = evaluate(house)
    check_stopped_by_database(house, run, fill_disk)
    wait_for_end(house, house.manage(*EVALUATE, "--wait")["run"])


def test_a_full_disk_under_postgresql_ends_the_command_with_a_sentence_and_spares_every_item(
    make_house, redis_url, disk, model, tmp_path
):
    house = make_house(CELERY_BROKER_URL=redis_url, DATABASE_URL=disk.database)
    fill(house, tmp_path)
    run = evaluate(house)
    with disk.full():
        check_stopped_by_database(house, run)
    wait_for_end(house, house.manage(*EVALUATE, "--wait")["run"])


def check_stopped_by_database(house: House, run: int, before: Callable[[], None] | None = None) -> None:
    """`evaluate --wait` ends with a sentence; `before` is called in its process first."""
    stopped = subprocess.run(
        [sys.executable, "manage.py", *EVALUATE, "--wait"],
        cwd=ROOT,
        env=house.environment,
        capture_output=True,
        text=True,
        preexec_fn=before,
    )
    assert stopped.returncode == 1
    assert "Traceback" not in stopped.stderr
    assert f"Run {run} is kept" in stopped.stderr
    assert state(house, run) == "running"
    assert house.count("evaluators_runitem", "attempts > 1") == 0


@pytest.mark.parametrize("database", ["PostgreSQL", "SQLite"])
def test_the_end_of_a_run_is_written_once(database, make_house, request):
    named = {"DATABASE_URL": request.getfixturevalue("postgres_url")} if database == "PostgreSQL" else {}
    printed = printed_by("end_race", 40, **make_house(**named).environment)
    # Of four that would end it at the same instant one did, in each of the 40 rounds.
    assert sum(int(line.split()[1]) for line in printed.splitlines()) == 40
    assert {line.split()[0] for line in printed.splitlines()} <= {
        "finished",
        "failed",
        "cancelled",
        "out_of_budget",
    }
