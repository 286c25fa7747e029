"""Claims that a method extracts by itself, stored with its run."""

import pytest

from evaluators.methods.base import Claim, with_claims
from evaluators.models import ClaimAlignment, ExtractedClaim
from evaluators.runs.cases import read_cases
from evaluators.runs.create import create_run
from evaluators.runs.listing import Spent, spent_by
from evaluators.runs.manage import delete_run, goes_with
from evaluators.runs.progress import progress_of
from evaluators.runs.results import ContractError, read_outcomes, store_results
from evaluators.runs.run_job import RunJob
from jobs.work import work_on
from llm.models import Call, Endpoint
from tests.evaluators.runs.test_leases import lease
from tests.factories import add_facts, make_dataset, make_response


def lease_one(run):
    [leased] = lease(run, "ada", 1)
    return leased, read_cases(run.dataset, [leased.item.response_id])[leased.item.response_id]


def make_call(number=0):
    endpoint, _ = Endpoint.objects.get_or_create(shared=True, name="e", base_url="http://localhost/v1")
    return Call.objects.create(
        endpoint=endpoint,
        request_hash=f"{number:064d}",
        model="m",
        request={},
        seconds=1,
        prompt_tokens=10,
        completion_tokens=number,
        cost_usd="0.5",
    )


def stored(run):
    """Of each claim its text and the segment and fact of each of its units."""
    return [
        (
            claim.text,
            [(each.segment.position, each.fact and each.fact.position) for each in claim.alignments.in_reading_order()],
        )
        for claim in run.extracted_claims.in_reading_order()
    ]


def test_claims_are_stored_with_the_units_that_say_them_and_their_calls(run):
    """Both segments of the first response: "One is odd." and "Two is odd."."""
    call = make_call()
    leased, case = lease_one(run)
    claims = [
        Claim("One is odd.", "supported", 0.75, "Known.", (call.pk, call.pk), 0),
        Claim("Rome is old.", None),
        Claim("Two is odd.", "not_supported"),
    ]

    store_results([(leased, read_outcomes(case, with_claims(case, claims)))])

    assert stored(run) == [("One is odd.", [(0, None)]), ("Rome is old.", []), ("Two is odd.", [(1, None)])]
    first, second, _ = run.extracted_claims.in_reading_order()
    assert (first.value, first.score, first.rationale, first.segment, list(first.calls.all())) == (
        "supported",
        0.75,
        "Known.",
        0,
        [call],
    )
    assert (second.value, second.score, second.rationale, second.segment, second.calls.count()) == (
        None,
        None,
        "",
        None,
        0,
    )
    assert list(run.predictions.order_by("segment__position").values_list("value", flat=True)) == [
        "supported",
        "not_supported",
    ]


def test_the_same_result_twice_leaves_one_set(run):
    leased, case = lease_one(run)
    result = read_outcomes(case, with_claims(case, [Claim("One is odd.", "supported")]))

    assert [store_results([(leased, result)]) for _ in range(2)] == [1, 0]
    assert stored(run) == [("One is odd.", [(0, None)])]


def test_the_site_aligns_facts_whatever_the_method_says_of_them(db, monkeypatch):
    """A claim that says two facts stands at both."""
    lives = make_dataset(scheme="factscore")
    response = make_response(lives, ["Ada was born in London in 1815."], prompt="Ada", subject="m")
    add_facts(response, [["Ada was born in London.", "Ada was born in 1815."]])
    run = create_run(lives, "always-supported").run
    leased, case = lease_one(run)

    store_results([(leased, read_outcomes(case, with_claims(case, [Claim(response.text, "supported")])))])

    assert stored(run) == [(response.text, [(0, 0), (0, 1)])]


def test_a_method_with_claims_works_to_its_end(lab, add_method):
    async def judge(case, tools):
        return with_claims(case, [Claim(case.segments[0], "supported", segment=0)])

    run = create_run(lab, add_method(judge)).run
    work_on(RunJob(), run.pk)
    run.refresh_from_db()

    assert (run.state, run.predictions.count(), run.extracted_claims.count()) == ("finished", 3, 3)
    assert [item.skipped for item in run.items.all()] == [{"no claim": 1}] * 3


@pytest.mark.parametrize(
    "claim",
    [
        Claim(" ", "supported"),
        Claim("\x00", "supported"),
        Claim("One is odd.", "true"),
        Claim("One is odd.", "supported", 1.5),
        Claim("One is odd.", "supported", rationale="\x00"),
        Claim("One is odd.", "supported", segment=2),
        Claim("One is odd.", "supported", segment=-1),
    ],
    ids=["empty", "unstorable", "unknown value", "score too high", "unstorable rationale", "no segment", "below 0"],
)
def test_claims_that_break_the_contract_are_refused(run, claim):
    _, case = lease_one(run)
    with pytest.raises(ContractError):
        read_outcomes(case, [*with_claims(case, []), claim])


def test_an_editor_has_no_claims(run):
    _, case = lease_one(run)
    with pytest.raises(ContractError, match="The editor judged a sentence"):
        read_outcomes(case, with_claims(case, [Claim("One is odd.", "supported")]), edits=True)


def test_claims_go_with_the_run(run):
    leased, case = lease_one(run)
    store_results([(leased, read_outcomes(case, with_claims(case, [Claim("One is odd.", "supported")])))])
    run.state = "cancelled"
    run.save()

    assert ("extracted claim", 1) in goes_with(run)
    delete_run(run)
    assert not ExtractedClaim.objects.exists()
    assert not ClaimAlignment.objects.exists()


def test_an_answer_of_a_claim_that_no_unit_says_is_paid_for_and_others_once(run):
    """Ten tokens of each prompt; answers of 1 and 2: the first is also that of a prediction."""
    both, alone = make_call(1), make_call(2)
    leased, case = lease_one(run)
    claims = [Claim("One is odd.", "supported", calls=(both.pk,)), Claim("Rome is old.", None, calls=(alone.pk,))]
    store_results([(leased, read_outcomes(case, with_claims(case, claims)))])

    assert spent_by([run])[run.pk] == Spent(11 + 12, 1.0)
    assert (progress_of(run).tokens, progress_of(run).cost_usd) == (23, 1.0)
