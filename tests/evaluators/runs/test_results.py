"""Storing what came of items."""

import pytest

from evaluators.methods.base import Judgement, Skip
from evaluators.models import Prediction
from evaluators.runs.cases import read_cases
from evaluators.runs.leases import free_expired, lease_items
from evaluators.runs.results import MOST_ATTEMPTS, ContractError, Result, read_outcomes, store_results
from llm.models import Call, Endpoint
from tests.evaluators.runs.test_leases import expire


def lease_one(run, owner="ada"):
    [item] = lease_items(run, owner, 1)
    return item, read_cases(run.dataset, [item.response_id])[item.response_id]


def judge(item, case, value="supported", **judged):
    return read_outcomes(item, case, [Judgement(unit, value, **judged) for unit in case.units])


def test_predictions_are_stored_and_the_item_is_done(run):
    item, case = lease_one(run)
    assert store_results(run, "ada", [judge(item, case, score=0.75, rationale="Known.")]) == 1
    item.refresh_from_db()
    assert (item.state, item.lease_owner, item.lease_until) == ("done", "", None)
    stored = run.predictions.order_by("segment__position").values_list("segment", "value", "score", "rationale")
    assert list(stored) == [(unit.segment_id, "supported", 0.75, "Known.") for unit in case.units]


def test_the_result_of_a_lost_lease_is_dropped(run):
    item, case = lease_one(run)
    expire([item])
    free_expired()
    ours, _ = lease_one(run, "ben")
    assert ours == item
    assert store_results(run, "ada", [judge(item, case)]) == 0
    assert not Prediction.objects.exists()
    assert store_results(run, "ben", [judge(item, case)]) == 1


def test_the_same_result_twice_is_stored_once(run):
    item, case = lease_one(run)
    result = judge(item, case)
    assert [store_results(run, "ada", [result]), store_results(run, "ada", [result])] == [1, 0]
    assert run.predictions.count() == 2


def test_an_output_that_could_not_be_parsed_is_unparsed(run):
    item, case = lease_one(run)
    store_results(run, "ada", [judge(item, case, value=None)])
    assert list(run.predictions.values_list("value", "unparsed")) == [(None, True)] * 2


def test_a_prediction_keeps_the_calls_it_was_read_from(run):
    endpoint = Endpoint.objects.create(name="e", base_url="http://localhost/v1")
    call = Call.objects.create(endpoint=endpoint, request_hash="0" * 64, model="m", request={}, seconds=1)
    item, case = lease_one(run)
    store_results(run, "ada", [judge(item, case, calls=(call.pk, call.pk))])
    assert [list(prediction.calls.all()) for prediction in run.predictions.all()] == [[call], [call]]


def test_skipped_units_get_no_prediction_and_are_counted(run):
    item, case = lease_one(run)
    outcomes = [Judgement(case.units[0], "supported"), Skip(case.units[1], "no reference")]
    store_results(run, "ada", [read_outcomes(item, case, outcomes)])
    item.refresh_from_db()
    assert (item.state, item.skipped, run.predictions.count()) == ("done", {"no reference": 1}, 1)


def test_a_failed_item_is_tried_again_until_its_last_attempt(run):
    for attempt in range(1, MOST_ATTEMPTS + 1):
        run.items.filter(position__gt=0).update(attempts=MOST_ATTEMPTS)  # the others wait behind it
        item, _ = lease_one(run)
        store_results(run, "ada", [Result(item, error=f"broke {attempt}")])
        item.refresh_from_db()
        assert (item.attempts, item.error) == (attempt, f"broke {attempt}")
        assert item.state == ("failed" if attempt == MOST_ATTEMPTS else "pending")


def test_a_final_error_is_not_tried_again(run):
    item, _ = lease_one(run)
    store_results(run, "ada", [Result(item, error="too long", final=True)])
    item.refresh_from_db()
    assert (item.state, item.attempts) == ("failed", 1)


@pytest.mark.parametrize(
    "break_it",
    [
        lambda case: [],
        lambda case: [Judgement(case.units[0], "supported")] * 2,
        lambda case: [Judgement(unit, "true") for unit in case.units],
        lambda case: [Judgement(unit, "supported", score=1.5) for unit in case.units],
        lambda case: [Judgement(unit, "supported", score=float("nan")) for unit in case.units],
        lambda case: [Judgement(unit, "supported", rationale="\x00") for unit in case.units],
    ],
    ids=["none", "one twice", "unknown value", "score too high", "score not a number", "unstorable rationale"],
)
def test_outcomes_that_break_the_contract_are_refused(run, break_it):
    item, case = lease_one(run)
    with pytest.raises(ContractError):
        read_outcomes(item, case, break_it(case))
