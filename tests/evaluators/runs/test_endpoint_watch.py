"""A run whose endpoint cannot be reached says so while its calls are tried again."""

import socket
from contextlib import closing

import pytest
from django.urls import reverse

from annotate.models import Role
from evaluators.models import Run
from evaluators.runs import endpoint_watch
from evaluators.runs.create import create_run
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from llm import listing
from llm.retries import RetryPolicy
from tests.factories import make_person
from tests.services.conftest import free_port

pytestmark = pytest.mark.django_db(transaction=True)

SLOW = RetryPolicy(attempts=2, first_wait=2.0)


def test_the_run_is_told_within_ten_seconds():
    """What the watch waits for: a quiet while, and an answer to the list of models."""
    assert endpoint_watch.QUIET_SECONDS + listing.SECONDS < 10


def test_the_page_says_that_nothing_listens_there(lab, client, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{free_port()}/v1")
    monkeypatch.setattr(endpoint_watch, "QUIET_SECONDS", 0.2)
    run = create_run(lab, "felm-segment", model="m").run
    work_on(RunJob(SLOW), run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.FAILED  # in the end it says so itself
    assert "cannot be reached" in run.notice
    assert run.notice.endswith("The run keeps trying for a while.")

    Run.objects.update(state=Run.State.RUNNING)
    client.force_login(make_person("rhea", lab, Role.RESEARCHER))
    assert "cannot be reached" in client.get(reverse("run", args=[run.pk])).text
    Run.objects.update(state=Run.State.FINISHED)
    assert "The run keeps trying" not in client.get(reverse("run", args=[run.pk])).text


def test_a_server_that_takes_connections_and_never_answers_is_not_reached(lab, monkeypatch):
    monkeypatch.setattr(endpoint_watch, "QUIET_SECONDS", 0.2)
    monkeypatch.setattr(listing, "SECONDS", 0.5)
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{silent.getsockname()[1]}/v1")
        run = create_run(lab, "felm-segment", model="m", parameters={"in_flight": "1"}, limit=1).run
        work_on(RunJob(RetryPolicy(attempts=1, patience=2.0)), run.pk)
    run.refresh_from_db()
    assert "no answer within 0.5 seconds" in run.notice


def test_a_slow_endpoint_is_reached_and_predictions_take_the_notice_away(lab, model, monkeypatch):
    monkeypatch.setattr(endpoint_watch, "QUIET_SECONDS", 0.2)
    model.control(latency=1.0)
    run = create_run(lab, "felm-segment", model="m", parameters={"in_flight": "1"}).run
    Run.objects.update(notice="Nothing came before.")
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert (run.state, run.notice) == (Run.State.FINISHED, "")


def test_methods_without_a_model_and_readings_look_for_no_endpoint(lab, monkeypatch):
    monkeypatch.setattr(endpoint_watch, "QUIET_SECONDS", 0.0)
    run = create_run(lab, "random").run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()
    assert (run.state, run.notice) == (Run.State.FINISHED, "")
