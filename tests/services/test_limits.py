"""An endpoint's limits, kept by real workers together; the fake server counts what arrives."""

from bisect import bisect_left
from concurrent.futures import ThreadPoolExecutor

from tests.fake_openai import FakeOpenAI
from tests.services.conftest import House
from tests.services.lab import EVALUATE, RESPONSES, check_complete, evaluate, fill, wait_for_end, wait_for_predictions


def limit(house: House, model: FakeOpenAI, **limits: int) -> None:
    """Limits of the default endpoint."""
    given = ", ".join(f"{name}={value}" for name, value in limits.items())
    made = (
        f"from llm.models import Endpoint; Endpoint.objects.create(name='fake', base_url='{model.base_url}', {given})"
    )
    assert house.run("shell", "-c", made).returncode == 0


def work_in_two(house: House) -> int:
    """The number of a run that two processes work on to its end."""
    run = evaluate(house)
    with ThreadPoolExecutor(2) as both:
        reports = list(both.map(lambda _: house.manage(*EVALUATE, "--wait"), range(2)))
    assert [report["run"] for report in reports] == [run, run]
    return run


def busiest(moments: list[float], seconds: float) -> int:
    """The most calls that any so many seconds hold."""
    begun = sorted(moments)
    return max(bisect_left(begun, moment + seconds) - place for place, moment in enumerate(begun))


def test_calls_in_flight(house, model, tmp_path):
    fill(house, tmp_path)
    limit(house, model, max_in_flight=3)
    model.control(latency=0.2)

    run = work_in_two(house)

    check_complete(house, run)
    assert model.stats()["total"] == RESPONSES
    assert model.stats()["max_in_flight"] == 3
    assert house.count("llm_seat") == 0


def test_requests_a_minute(house, model, tmp_path):
    fill(house, tmp_path)
    limit(house, model, requests_per_minute=610)

    run = work_in_two(house)

    check_complete(house, run)
    assert model.stats()["total"] == RESPONSES
    # A turn each tenth of a second, which may be used a second late: 2 s hold the turns of 3 s at most.
    assert busiest(model.stats()["begun"], 2) <= 31


def test_a_worker_that_is_killed_holds_no_place_for_long(make_house, model, tmp_path):
    house = make_house()
    fill(house, tmp_path)
    limit(house, model, max_in_flight=3, requests_per_minute=6000)
    model.control(latency=0.3)
    worker = house.start_worker()
    run = evaluate(house)
    wait_for_predictions(house, 9)
    house.kill(worker)

    house.start_worker()
    wait_for_end(house, run)
    assert model.stats()["max_in_flight"] <= 2 * 3  # the fake server may still be answering the killed one
