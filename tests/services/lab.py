"""A dataset that a model judges on real services, and what an undisturbed run says of it."""

import json
from pathlib import Path

from evaluators.models import Run
from tests.services.conftest import House
from tests.waiting import LONGEST, wait_until

RESPONSES = 60
SEGMENTS = 3
IN_FLIGHT = 8
PATIENT = "3600"  # seconds that a lease lasts where nobody may lose one, however slow the machine
EVALUATE = ("evaluate", "lab", "felm-segment", "--model", "m", "--no-trial", "--param", f"in_flight={IN_FLIGHT}")

# By response and segment: the fake model flags the segments with the word "wrong".
UNDISTURBED = [
    (response, segment, "not_supported" if segment == 1 and response % 3 == 0 else "supported", False)
    for response in range(RESPONSES)
    for segment in range(SEGMENTS)
]
PREDICTIONS = """
    select response.position, segment.position, prediction.value, prediction.unparsed
    from evaluators_prediction prediction
    join annotate_segment segment on segment.id = prediction.segment_id
    join annotate_response response on response.id = segment.response_id
    where prediction.run_id = {run} order by response.position, segment.position
"""


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
    return house.manage(*EVALUATE)["run"]


def state(house: House, run: int) -> str:
    return house.ask(f"select state from evaluators_run where id = {run}")[0][0]


def wait_for_predictions(house: House, number: int = 30) -> None:
    wait_until(lambda: house.count("evaluators_prediction") >= number, "predictions are stored", LONGEST)


def wait_for_state(house: House, run: int, wanted: str) -> None:
    wait_until(lambda: state(house, run) == wanted, f"the run is {wanted}", LONGEST)


def wait_for_end(house: House, run: int) -> None:
    wait_until(lambda: state(house, run) not in Run.ACTIVE, "the run has ended", LONGEST)
    check_complete(house, run)


def check_complete(house: House, run: int) -> None:
    """Finished, with the predictions of an undisturbed run: each there, none twice."""
    assert house.ask(f"select state, error from evaluators_run where id = {run}") == [("finished", "")]
    found = [(*row[:3], bool(row[3])) for row in house.ask(PREDICTIONS.format(run=run))]
    assert found == UNDISTURBED
    assert house.count("evaluators_runitem", f"run_id = {run} and state = 'done'") == RESPONSES
