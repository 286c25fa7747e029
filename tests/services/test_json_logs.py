"""The number of a request in the log lines of a worker."""

import json
from collections.abc import Callable
from pathlib import Path

from config.request_ids import numbered
from tests.services.conftest import House
from tests.waiting import LONGEST, wait_until


def enqueue_unknown_work(number: str) -> None:
    """What a request of this number enqueues; the worker logs that there is no such kind."""
    from jobs.tasks import work

    with numbered(number):
        work.apply_async(("no such kind", 1), queue="short", retry=False)


def test_the_number_follows_into_the_work_that_a_request_enqueues(make_house: Callable[..., House]) -> None:
    house = make_house(LOG_JSON="true")
    worker = house.start_worker()
    house.call(enqueue_unknown_work, "first")
    house.call(enqueue_unknown_work, "second")
    wait_until(lambda: len(errors(worker.printed)) == 2, "both errors are logged", LONGEST)
    assert {line["request_id"] for line in errors(worker.printed)} == {"first", "second"}
    assert all("KeyError: 'no such kind'" in line["error"] for line in errors(worker.printed))


def errors(printed: Path) -> list[dict[str, str]]:
    """Of the log lines that are whole; Celery also prints a warning where its user is root."""
    whole = (printed / "stderr").read_text(encoding="utf-8").rpartition("\n")[0].splitlines()
    lines = [json.loads(line) for line in whole if line.startswith("{")]
    return [line for line in lines if line["level"] == "ERROR"]
