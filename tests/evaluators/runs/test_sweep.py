"""What was lost is found."""

import socket
from datetime import timedelta

import pytest
from django.utils import timezone

from config.celery import app
from evaluators.models import Run
from evaluators.runs.run_job import RunJob
from jobs.enqueue import enqueue, sweep
from jobs.tasks import work
from tests.evaluators.runs.test_leases import expire, lease


@pytest.fixture
def broken_queue(monkeypatch):
    """A broker's address where nobody listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        address = f"redis://127.0.0.1:{listener.getsockname()[1]}/0"
        # As items: the attribute of a setting that is not given shows that of another, and would be kept afterwards.
        for name in ("broker_url", "broker_write_url"):
            monkeypatch.setitem(app.conf, name, address)
        monkeypatch.setattr(app.amqp, "_producer_pool", None)
        monkeypatch.setattr(app, "_pool", None)
        yield


@pytest.fixture
def lost_folder(monkeypatch, tmp_path):
    """Messages go to a folder that is not there."""
    options = dict.fromkeys(("data_folder_in", "control_folder"), str(tmp_path))
    options["data_folder_out"] = str(tmp_path / "gone")
    for name in ("broker_url", "broker_write_url"):
        monkeypatch.setitem(app.conf, name, "filesystem://")
    monkeypatch.setitem(app.conf, "broker_transport_options", options)
    monkeypatch.setattr(app.amqp, "_producer_pool", None)
    monkeypatch.setattr(app, "_pool", None)


def long_ago(run):
    Run.objects.filter(pk=run.pk).update(enqueued_at=timezone.now() - timedelta(hours=1))


def test_a_run_that_nobody_works_on_is_enqueued(run):
    assert sweep(RunJob()) == [run.pk]


def test_a_run_is_not_enqueued_at_every_beat(run):
    enqueue(run)
    assert sweep(RunJob()) == []


def test_a_run_that_someone_works_on_is_left_alone(run):
    long_ago(run)
    lease(run, "ada", 1)
    assert sweep(RunJob()) == []


def test_the_leases_of_the_dead_are_freed_and_their_run_enqueued(run):
    long_ago(run)
    expire(lease(run, "dead", 3))
    assert sweep(RunJob()) == [run.pk]
    assert run.items.waiting().count() == 3


def test_a_run_whose_worker_died_before_its_end_was_noted_ends(run):
    run.items.update(state="done")
    assert sweep(RunJob()) == [run.pk]
    work(RunJob.name, run.pk)
    run.refresh_from_db()
    assert run.state == "finished"


@pytest.mark.parametrize("state", ["finished", "failed", "cancelled"])
def test_a_run_that_has_ended_is_left_alone(run, state):
    Run.objects.update(state=state)
    assert sweep(RunJob()) == []


def test_a_queue_that_cannot_be_reached_loses_nothing(run, broken_queue):
    assert enqueue(run) is False
    run.refresh_from_db()
    assert (run.state, run.enqueued_at) == ("queued", None)


def test_a_queue_of_files_that_cannot_be_written_loses_nothing(run, lost_folder, caplog):
    assert enqueue(run) is False
    assert "Cannot add file" in caplog.text
    run.refresh_from_db()
    assert (run.state, run.enqueued_at) == ("queued", None)


def test_the_task_does_the_run(run):
    work(RunJob.name, run.pk)
    run.refresh_from_db()
    assert run.state == "finished"


def test_a_second_task_steps_aside(run):
    lease(run, "ada", 1)
    work(RunJob.name, run.pk)
    assert run.items.waiting().count() == 2


def test_a_task_for_a_run_that_is_gone_does_nothing(run):
    pk = run.pk
    run.delete()
    work(RunJob.name, pk)


def test_a_cancelled_run_is_resumed_with_what_it_lacks(run):
    run.items.filter(position=0).update(state="done")
    run.stop()
    assert run.resume()
    run.refresh_from_db()
    assert (run.state, run.finished_at, run.items.waiting().count()) == ("queued", None, 2)


def test_failed_items_are_tried_anew(run):
    run.items.update(state="failed", attempts=3, error="broke")
    Run.objects.update(state="finished")
    assert run.resume()
    assert list(run.items.values_list("state", "attempts", "error")) == [("waiting", 0, "")] * 3


def test_a_complete_run_is_not_resumed(run):
    run.items.update(state="done")
    Run.objects.update(state="finished")
    assert not run.resume()
