"""An endpoint's limits, kept by real workers together; the fake server counts what arrives."""

from concurrent.futures import ThreadPoolExecutor

from tests.fake_openai import FakeOpenAI
from tests.services.conftest import House
from tests.services.lab import (
    EVALUATE,
    PATIENT,
    RESPONSES,
    check_complete,
    evaluate,
    fill,
    wait_for_end,
    wait_for_predictions,
)
from tests.waiting import LONGEST, wait_until


def limit(house: House, model: FakeOpenAI, **limits: int) -> None:
    """Limits of the default endpoint."""
    given = ", ".join(f"{name}={value}" for name, value in limits.items())
    created = f"create(shared=True, name='fake', base_url='{model.base_url}', {given})"
    made = f"from llm.models import Endpoint; Endpoint.objects.{created}"
    assert house.run("shell", "-c", made).returncode == 0


def work_in_two(house: House) -> int:
    """The number of a run that two processes work on to its end."""
    run = evaluate(house)
    with ThreadPoolExecutor(2) as both:
        reports = list(both.map(lambda _: house.manage(*EVALUATE, "--wait"), range(2)))
    assert [report["run"] for report in reports] == [run, run]
    return run


def started_at(house: House, run: int) -> float:
    """In seconds of the epoch."""
    said = house.run("shell", "-v", "0", "-c", f"print(Run.objects.get(pk={run}).started_at.timestamp())")
    return float(said.stdout)


def test_calls_in_flight(house, model, tmp_path):
    house.environment["RUN_LEASE_SECONDS"] = PATIENT
    fill(house, tmp_path)
    limit(house, model, max_in_flight=3)
    model.control(latency=0.2, answers=0)

    with ThreadPoolExecutor(1) as beside:
        working = beside.submit(work_in_two, house)
        wait_until(lambda: model.stats()["in_flight"] >= 3, "as many calls as may be are under way", LONGEST)
        model.control(answers=None)

    check_complete(house, working.result())
    assert model.stats()["total"] == RESPONSES
    assert model.stats()["max_in_flight"] == 3
    assert house.count("llm_concurrencyuse") == 0


def test_requests_a_minute(house, model, tmp_path):
    house.environment["RUN_LEASE_SECONDS"] = PATIENT
    fill(house, tmp_path)
    limit(house, model, requests_per_minute=610)

    run = work_in_two(house)

    check_complete(house, run)
    assert model.stats()["total"] == RESPONSES
    # A turn each tenth of a second: whatever holds a call up, none arrives before as many turns have come.
    started = started_at(house, run)
    begun = sorted(model.stats()["begun"])
    assert all(at >= started + turn * 0.1 - 0.01 for turn, at in enumerate(begun))


def test_a_worker_that_is_killed_holds_no_place_for_long(make_house, model, tmp_path):
    house = make_house()
    fill(house, tmp_path)
    limit(house, model, max_in_flight=3, requests_per_minute=6000)
    model.control(latency=0.3, answers=12)
    worker = house.start_worker()
    run = evaluate(house)
    wait_for_predictions(house, 9)
    house.kill(worker)
    model.control(answers=None)

    house.start_worker()
    wait_for_end(house, run)
    assert model.stats()["max_in_flight"] <= 2 * 3  # the fake server may still be answering the killed one
