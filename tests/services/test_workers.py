"""Real Celery workers on a run, doubled and stopped: each prediction is there once. And the workers of one machine."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor

from tests.processes import Started, run_program
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
)
from tests.waiting import LONGEST, wait_until


def test_two_workers_and_many_messages_do_each_item_once(make_house, redis_url, postgres_url, model, tmp_path):
    house = make_house(CELERY_BROKER_URL=redis_url, DATABASE_URL=postgres_url, RUN_LEASE_SECONDS=PATIENT)
    fill(house, tmp_path)
    model.control(latency=0.2)
    run = evaluate(house)
    messages = f"from jobs.tasks import work; [work.apply_async(('run', {run}), queue='long') for _ in range(5)]"
    assert house.run("shell", "-c", messages).returncode == 0
    house.start_workers(2)
    wait_for_end(house, run)
    assert model.stats()["total"] == RESPONSES


def test_two_processes_share_a_run_without_meeting(make_house, postgres_url, model, tmp_path):
    house = make_house(DATABASE_URL=postgres_url, RUN_LEASE_SECONDS=PATIENT)
    fill(house, tmp_path)
    model.control(latency=0.1)
    run = evaluate(house)
    # The same run again is that run, and --wait works on it beside whoever else does.
    with ThreadPoolExecutor(2) as both:
        reports = list(both.map(lambda _: house.manage(*EVALUATE, "--wait"), range(2)))
    assert [(report["run"], report["state"]) for report in reports] == [(run, "finished")] * 2
    check_complete(house, run)
    assert model.stats()["total"] == RESPONSES


def test_the_workers_of_one_machine_serve_a_queue_each_and_end_when_one_is_lost(make_house):
    house = make_house()
    workers = Started(run_program, "config.workers", environment=house.environment)
    house.workers.append(workers)
    wait_until(lambda: house.living() == 2, "a worker of each queue lives", LONGEST)
    names = dict(house.ask("select queue, name from jobs_worker"))
    assert {queue: name.partition("@")[0] for queue, name in names.items()} == {"short": "short", "long": "long"}
    os.kill(int(names["long"].rpartition(" ")[2]), signal.SIGKILL)
    house.workers.remove(workers)
    assert workers.wait().returncode == 1
    # The other one was asked to end, and said good-bye.
    assert house.ask("select queue from jobs_worker") == [("long",)]


def test_the_workers_of_one_machine_end_when_asked(make_house):
    house = make_house()
    workers = Started(run_program, "config.workers", environment=house.environment)
    house.workers.append(workers)
    wait_until(lambda: house.living() == 2, "a worker of each queue lives", LONGEST)
    workers.end()
    house.workers.remove(workers)
    assert workers.wait().returncode == 0
    assert house.living() == 0


def test_a_cancelled_run_stops_and_can_be_resumed(make_house, model, tmp_path):
    house = make_house(RUN_LEASE_SECONDS=PATIENT)
    fill(house, tmp_path)
    model.control(answers=2 * IN_FLIGHT)
    house.start_worker()
    run = evaluate(house)
    wait_for_predictions(house, 1)
    cancel = f"from evaluators.models import Run; Run.objects.get(pk={run}).stop()"
    assert house.run("shell", "-c", cancel).returncode == 0
    wait_until(lambda: house.count("evaluators_runitem", "state = 'leased'") == 0, "the worker lets go", LONGEST)
    assert state(house, run) == "cancelled"
    assert 0 < house.count("evaluators_prediction") < RESPONSES * SEGMENTS

    model.control(answers=None)
    assert house.manage("resume_runs", str(run)) == {"resumed": [run]}
    wait_for_end(house, run)
    assert model.stats()["total"] <= RESPONSES + 2 * IN_FLIGHT
