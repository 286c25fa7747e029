"""Storing what came of items."""

import pytest

from evaluators.methods.base import Edit, Judgement, Skip
from evaluators.models import Prediction
from evaluators.runs.cases import read_cases
from evaluators.runs.results import ContractError, read_outcomes, store_results
from evaluators.runs.run_job import MethodError, RunJob
from jobs.policy import settle_failure
from llm.errors import RequestRefusedError
from llm.models import Call, Endpoint
from tests.evaluators.runs.test_leases import expire, free, lease


def lease_one(run, owner="ada"):
    [leased] = lease(run, owner, 1)
    response = leased.item.response_id
    return leased, read_cases(run.dataset, [response])[response]


def judge(case, value="supported", **judged):
    return read_outcomes(case, [Judgement(unit, value, **judged) for unit in case.units])


def test_predictions_are_stored_and_the_item_is_done(run):
    leased, case = lease_one(run)
    assert store_results([(leased, judge(case, score=0.75, rationale="Known."))]) == 1
    leased.item.refresh_from_db()
    assert (leased.item.state, leased.item.lease_owner, leased.item.lease_until) == ("done", "", None)
    stored = run.predictions.order_by("segment__position").values_list("segment", "value", "score", "rationale")
    assert list(stored) == [(unit.segment_id, "supported", 0.75, "Known.") for unit in case.units]


def test_the_result_of_a_lost_lease_is_dropped(run):
    leased, case = lease_one(run)
    expire([leased])
    assert free() == 1
    *_, ours = lease(run, "ben", 3)
    assert ours.item == leased.item
    assert store_results([(leased, judge(case))]) == 0
    assert not Prediction.objects.exists()
    assert store_results([(ours, judge(case))]) == 1


def test_the_same_result_twice_is_stored_once(run):
    leased, case = lease_one(run)
    result = judge(case)
    assert [result(leased), store_results([(leased, result)])] == [1, 0]
    assert run.predictions.count() == 2


def test_of_an_item_that_its_owner_leased_twice_the_last_result_is_stored(run):
    first, case = lease_one(run)
    expire([first])
    assert free() == 1
    run.items.filter(position__gt=0).update(attempts=RunJob.max_attempts)  # the others wait behind it
    second, _ = lease_one(run)
    assert (second.item, second.owner) == (first.item, first.owner)
    late = [(first, judge(case)), (second, judge(case, value="not_supported"))]
    assert store_results(late) == 1
    assert list(run.predictions.values_list("value", flat=True)) == ["not_supported"] * 2


def test_an_output_that_could_not_be_parsed_is_unparsed(run):
    leased, case = lease_one(run)
    store_results([(leased, judge(case, value=None))])
    assert list(run.predictions.values_list("value", "unparsed")) == [(None, True)] * 2


def test_a_prediction_keeps_the_calls_it_was_read_from(run):
    endpoint = Endpoint.objects.create(shared=True, name="e", base_url="http://localhost/v1")
    call = Call.objects.create(endpoint=endpoint, request_hash="0" * 64, model="m", request={}, seconds=1)
    leased, case = lease_one(run)
    store_results([(leased, judge(case, calls=(call.pk, call.pk)))])
    assert [list(prediction.calls.all()) for prediction in run.predictions.all()] == [[call], [call]]


def test_skipped_units_get_no_prediction_and_are_counted(run):
    leased, case = lease_one(run)
    outcomes = [Judgement(case.units[0], "supported"), Skip(case.units[1], "no reference")]
    store_results([(leased, read_outcomes(case, outcomes))])
    leased.item.refresh_from_db()
    assert (leased.item.state, leased.item.skipped, run.predictions.count()) == ("done", {"no reference": 1}, 1)


def test_a_failed_item_is_tried_again_until_its_last_attempt(run):
    for attempt in range(1, RunJob.max_attempts + 1):
        run.items.filter(position__gt=0).update(attempts=RunJob.max_attempts)  # the others wait behind it
        leased, _ = lease_one(run)
        settle_failure(RunJob(), leased, MethodError(f"broke {attempt}"))
        leased.item.refresh_from_db()
        assert (leased.item.attempts, leased.item.error) == (attempt, f"Broke {attempt}")
        assert leased.item.state == ("failed" if attempt == RunJob.max_attempts else "waiting")


def test_a_final_error_is_not_tried_again(run):
    leased, _ = lease_one(run)
    settle_failure(RunJob(), leased, RequestRefusedError("too long"))
    leased.item.refresh_from_db()
    assert (leased.item.state, leased.item.attempts) == ("failed", 1)


@pytest.mark.parametrize(
    "break_it",
    [
        lambda case: [],
        lambda case: [Judgement(case.units[0], "supported")] * 2,
        lambda case: [Judgement(unit, "true") for unit in case.units],
        lambda case: [Judgement(unit, "supported", score=1.5) for unit in case.units],
        lambda case: [Judgement(unit, "supported", score=float("nan")) for unit in case.units],
        lambda case: [Judgement(unit, "supported", rationale="\x00") for unit in case.units],
        lambda case: [Edit(unit, "One is odd.") for unit in case.units],
    ],
    ids=["none", "one twice", "unknown value", "score too high", "score not a number", "unstorable rationale", "edits"],
)
def test_outcomes_that_break_the_contract_are_refused(run, break_it):
    _, case = lease_one(run)
    with pytest.raises(ContractError):
        read_outcomes(case, break_it(case))


def test_an_editor_edits_and_does_not_judge(run):
    _, case = lease_one(run)
    edits = [Edit(unit, "One is odd.") for unit in case.units]
    assert read_outcomes(case, edits, edits=True).edits == tuple(edits)
    with pytest.raises(ContractError, match="The editor judged a sentence"):
        read_outcomes(case, [*edits[1:], Judgement(case.units[0], "supported")], edits=True)
