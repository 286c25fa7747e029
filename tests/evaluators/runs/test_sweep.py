"""What was lost is found."""

import socket
from datetime import timedelta

import pytest
from django.utils import timezone

from config import celery_app
from evaluators.models import Run
from evaluators.runs.leases import lease_items
from evaluators.runs.queue import knock
from evaluators.runs.sweep import sweep
from evaluators.runs.tasks import work_on_run
from tests.evaluators.runs.test_leases import expire


@pytest.fixture
def broken_queue(monkeypatch):
    """A broker's address where nobody listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        address = f"redis://127.0.0.1:{listener.getsockname()[1]}/0"
        monkeypatch.setattr(celery_app.conf, "broker_url", address)
        monkeypatch.setattr(celery_app.conf, "broker_write_url", address)
        monkeypatch.setattr(celery_app.amqp, "_producer_pool", None)
        monkeypatch.setattr(celery_app, "_pool", None)
        yield


@pytest.fixture
def lost_folder(monkeypatch, tmp_path):
    """Messages go to a folder that is not there."""
    options = dict.fromkeys(("data_folder_in", "control_folder"), str(tmp_path))
    options["data_folder_out"] = str(tmp_path / "gone")
    for name in ("broker_url", "broker_write_url"):
        monkeypatch.setitem(celery_app.conf, name, "filesystem://")
    monkeypatch.setitem(celery_app.conf, "broker_transport_options", options)
    monkeypatch.setattr(celery_app.amqp, "_producer_pool", None)
    monkeypatch.setattr(celery_app, "_pool", None)


def long_ago(run):
    Run.objects.filter(pk=run.pk).update(knocked_at=timezone.now() - timedelta(hours=1))


def test_a_run_that_nobody_works_on_is_knocked_for(run):
    assert sweep() == [run.pk]


def test_a_run_is_not_knocked_for_at_every_beat(run):
    knock(run)
    assert sweep() == []


def test_a_run_that_someone_works_on_is_left_alone(run):
    long_ago(run)
    lease_items(run, "ada", 1)
    assert sweep() == []


def test_the_leases_of_the_dead_are_freed_and_their_run_knocked_for(run):
    long_ago(run)
    expire(lease_items(run, "dead", 3))
    assert sweep() == [run.pk]
    assert run.items.pending().count() == 3


def test_a_run_whose_worker_died_before_its_end_was_noted_ends(run):
    run.items.update(state="done")
    assert sweep() == []
    run.refresh_from_db()
    assert run.state == "finished"


@pytest.mark.parametrize("state", ["finished", "failed", "cancelled"])
def test_a_run_that_has_ended_is_left_alone(run, state):
    Run.objects.update(state=state)
    assert sweep() == []


def test_a_queue_that_cannot_be_reached_loses_nothing(run, broken_queue):
    assert knock(run) is False
    run.refresh_from_db()
    assert (run.state, run.knocked_at) == ("queued", None)


def test_a_queue_of_files_that_cannot_be_written_loses_nothing(run, lost_folder, caplog):
    assert knock(run) is False
    assert "Cannot add file" in caplog.text
    run.refresh_from_db()
    assert (run.state, run.knocked_at) == ("queued", None)


def test_a_knock_does_the_run(run):
    work_on_run(run.pk)
    run.refresh_from_db()
    assert run.state == "finished"


def test_a_second_knock_steps_aside(run):
    lease_items(run, "ada", 1)
    work_on_run(run.pk)
    assert run.items.pending().count() == 2


def test_a_knock_for_a_run_that_is_gone_does_nothing(run):
    pk = run.pk
    run.delete()
    work_on_run(pk)


def test_a_cancelled_run_is_resumed_with_what_it_lacks(run):
    run.items.filter(position=0).update(state="done")
    run.stop()
    assert run.resume()
    run.refresh_from_db()
    assert (run.state, run.finished_at, run.items.pending().count()) == ("queued", None, 2)


def test_failed_items_are_tried_anew(run):
    run.items.update(state="failed", attempts=3, error="broke")
    Run.objects.update(state="finished")
    assert run.resume()
    assert list(run.items.values_list("state", "attempts", "error")) == [("pending", 0, "")] * 3


def test_a_complete_run_is_not_resumed(run):
    run.items.update(state="done")
    Run.objects.update(state="finished")
    assert not run.resume()
