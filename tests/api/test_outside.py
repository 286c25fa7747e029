"""Outside evaluators by the API: their runs, leases and judgements."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from annotate.models import Dataset, Role, User
from evaluators.comparison.report import build_report
from evaluators.models import Prediction, Run, RunItem
from evaluators.runs.listing import spent_by
from evaluators.runs.outside import leases_of
from evaluators.runs.run_job import RunJob
from jobs.enqueue import sweep
from jobs.work import work_on
from tests.api.conftest import ApiClient, client_of
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def lab() -> Dataset:
    dataset = make_dataset()
    for _ in range(3):
        make_response(dataset)
    return dataset


@pytest.fixture
def rhea(lab: Dataset) -> ApiClient:
    return client_of(make_person("rhea", lab, Role.RESEARCHER), "read", "evaluate")


def start(rhea: ApiClient, dataset: Dataset, **sent: Any) -> Run:
    answer = rhea.post(f"datasets/{dataset.pk}/outside-runs/", {"evaluator": "mine", **sent})
    assert answer.status_code == 201, answer.json()
    return Run.objects.get(pk=answer.json()["id"])


def lease(rhea: ApiClient, run: Run, count: int = 10, **sent: Any) -> dict[str, Any]:
    answer = rhea.post(f"runs/{run.pk}/leases/", {"count": count, **sent})
    assert answer.status_code == 201, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def judged(case: dict[str, Any], value: str | None = "supported", **more: Any) -> dict[str, Any]:
    units = [{"segment": unit["segment"], "fact": unit["fact"], "value": value} for unit in case["units"]]
    return {"index": case["index"], "judgements": units, **more}


def send(rhea: ApiClient, run: Run, leased: dict[str, Any], *cases: dict[str, Any], **headers: str) -> dict[str, Any]:
    sent = {"lease": leased["lease"], "cases": cases or [judged(case) for case in leased["cases"]]}
    found: dict[str, Any] = rhea.post(f"runs/{run.pk}/judgements/", sent, **headers).json()
    return found


def expire(run: Run) -> None:
    run.items.leased().update(lease_until=timezone.now() - timedelta(seconds=1))


def test_a_run_ends_with_the_judgements_of_all_cases(lab: Dataset, rhea: ApiClient) -> None:
    run = start(rhea, lab, model="gpu-judge", parameters={"threshold": 0.5})
    first = lease(rhea, run, 2)
    assert [case["index"] for case in first["cases"]] == ["0", "1"]
    assert send(rhea, run, first) == {"stored": 2, "failed": 0, "lost": [], "state": "running"}
    assert send(rhea, run, lease(rhea, run))["state"] == "finished"
    run.refresh_from_db()
    assert (run.evaluator.model, run.evaluator.parameters) == ("gpu-judge", {"threshold": 0.5})
    assert run.started_at <= run.last_prediction_at <= run.finished_at
    assert run.manifest["outcome"]["predicted"] == run.predictions.count() == 6


def test_a_case_holds_what_is_judged_and_no_gold(lab: Dataset, rhea: ApiClient) -> None:
    add_gold(lab.responses.get(index="0").segments.get(position=0), "not_supported")
    case = lease(rhea, start(rhea, lab), 1)["cases"][0]
    assert case == {
        "index": "0",
        "prompt": "Which numbers are odd?",
        "response": "One is odd. Two is odd.",
        "domain": "math",
        "topic": "Which numbers are odd?",
        "subject": "",
        "segments": ["One is odd.", "Two is odd."],
        "units": [
            {"segment": 0, "fact": None, "text": "One is odd."},
            {"segment": 1, "fact": None, "text": "Two is odd."},
        ],
        "references": [],
        "passages": [],
        "samples": [],
    }


def test_facts_are_judged_at_their_addresses() -> None:
    dataset = make_dataset(scheme="factscore")
    _, second = add_facts(make_response(dataset, ("One and two are odd.",)), [["One is odd.", "Two is odd."]])
    rhea = client_of(make_person("rhea", dataset, Role.RESEARCHER))
    run = start(rhea, dataset)
    leased = lease(rhea, run)
    sent = judged(leased["cases"][0])
    sent["judgements"][1] |= {"value": "not_supported", "score": 0.25, "rationale": "It is even."}
    assert send(rhea, run, leased, sent)["state"] == "finished"
    stored = run.predictions.get(fact=second)
    assert (stored.value, stored.score, stored.rationale) == ("not_supported", 0.25, "It is even.")


def test_cases_that_somebody_holds_are_given_to_nobody_else(lab: Dataset, rhea: ApiClient) -> None:
    run = start(rhea, lab)
    first, second, third = lease(rhea, run, 2), lease(rhea, run, 2), lease(rhea, run, 2)
    assert [case["index"] for case in first["cases"] + second["cases"]] == ["0", "1", "2"]
    assert (third["cases"], third["state"]) == ([], "running")


def test_another_takes_over_what_a_killed_one_held(lab: Dataset, rhea: ApiClient) -> None:
    run = start(rhea, lab)
    killed = lease(rhea, run)
    expire(run)
    other = lease(rhea, run)
    assert len(other["cases"]) == 3
    send(rhea, run, other)
    late = send(rhea, run, killed, *(judged(case, "not_supported") for case in killed["cases"]))
    assert late == {"stored": 0, "failed": 0, "lost": ["0", "1", "2"], "state": "finished"}
    assert set(run.predictions.values_list("value", flat=True)) == {"supported"}


def test_a_heartbeat_lengthens_the_lease(lab: Dataset, rhea: ApiClient) -> None:
    run = start(rhea, lab)
    leased = lease(rhea, run, seconds=5)
    before = run.items.leased()[0].lease_until
    answer = rhea.post(f"runs/{run.pk}/leases/renew/", {"lease": leased["lease"], "seconds": 60})
    assert (answer.status_code, answer.json()["cases"]) == (200, 3)
    assert run.items.leased()[0].lease_until > before + timedelta(seconds=50)


def test_a_lease_that_ran_out_is_not_renewed(lab: Dataset, rhea: ApiClient) -> None:
    run = start(rhea, lab)
    leased = lease(rhea, run)
    expire(run)
    lease(rhea, run)
    answer = rhea.post(f"runs/{run.pk}/leases/renew/", {"lease": leased["lease"]})
    assert (answer.status_code, answer.json()["detail"]) == (409, "The lease holds no case any more.")


def test_a_case_with_an_error_is_tried_three_times(lab: Dataset, rhea: ApiClient) -> None:
    run = start(rhea, lab, limit=2)
    leased = lease(rhea, run)
    send(rhea, run, leased, judged(leased["cases"][0]), {"index": "1", "error": "CUDA is out of memory"})
    for _ in range(2):
        answer = send(rhea, run, lease(rhea, run), {"index": "1", "error": "CUDA is out of memory"})
    assert answer == {"stored": 0, "failed": 1, "lost": [], "state": "finished"}
    failed = run.items.failed().get()
    assert (failed.attempts, failed.error) == (3, "CUDA is out of memory")


def test_a_run_whose_last_owner_was_lost_for_good_ends(lab: Dataset, rhea: ApiClient) -> None:
    run = start(rhea, lab, limit=2)
    leased = lease(rhea, run)
    send(rhea, run, leased, judged(leased["cases"][0]))
    for _ in range(2):
        expire(run)
        lease(rhea, run)
    expire(run)
    assert lease(rhea, run) | {"lease": "", "until": ""} == {"lease": "", "until": "", "state": "finished", "cases": []}
    assert run.items.failed().get().error == "The worker was lost 3 times while working on it."


@pytest.mark.parametrize(
    ("judgements", "sentence"),
    [
        ([{"segment": 0, "value": "supported"}], "Response '0': The method gave 1 outcomes for 2 units"),
        ([{"segment": 7, "value": "supported"}], "Response '0' has no unit at segment 7."),
        ([{"segment": 0, "fact": 1, "value": "supported"}], "Response '0' has no unit at segment 0, fact 1."),
        ([{"segment": 0, "value": "supported"}] * 2, "A unit is judged twice."),
        ([{"segment": 0, "value": "true"}], "is not a valid choice"),
        ([{"segment": 0, "score": 2}], "less than or equal to 1"),
    ],
)
def test_judgements_that_do_not_fit_are_refused_and_nothing_is_stored(
    lab: Dataset, rhea: ApiClient, judgements: list[dict[str, Any]], sentence: str
) -> None:
    run = start(rhea, lab)
    leased = lease(rhea, run)
    problem = send(rhea, run, leased, judged(leased["cases"][1]), {"index": "0", "judgements": judgements})
    assert (problem["status"], sentence in problem["detail"]) == (422, True), problem
    assert (Prediction.objects.count(), run.items.leased().count()) == (0, 3)


def test_a_skipped_unit_counts_as_missing_and_an_unparsed_one_as_unparsed(lab: Dataset, rhea: ApiClient) -> None:
    run = start(rhea, lab, limit=2)
    leased = lease(rhea, run)
    sent, read = judged(leased["cases"][0], None), judged(leased["cases"][1])
    sent["judgements"][0]["skipped"] = "no reference"
    send(rhea, run, leased, sent, read)
    run.refresh_from_db()
    assert run.manifest["outcome"] | {"fallbacks": {}} == {
        "predicted": len(read["judgements"]),
        "unparsed": 1,
        "refused": 0,
        "cut_off": 0,
        "failed": 0,
        "skipped": {"no reference": 1},
        "fallbacks": {},
        "all_failed": [],
    }


def test_the_same_judgements_under_one_key_are_stored_once(lab: Dataset, rhea: ApiClient) -> None:
    run = start(rhea, lab)
    leased = lease(rhea, run)
    first, again = (send(rhea, run, leased, idempotency_key="k") for _ in range(2))
    assert first == again
    assert run.predictions.count() == 6


def test_tokens_and_price_are_added_up(lab: Dataset, rhea: ApiClient) -> None:
    run = start(rhea, lab)
    leased = lease(rhea, run)
    send(rhea, run, leased, *(judged(case, tokens=10, cost_usd="0.25") for case in leased["cases"]))
    run.refresh_from_db()
    spent = spent_by([run])[run.pk]
    assert (spent.tokens, spent.cost_usd) == (30, 0.75)


def test_the_price_is_unknown_where_one_case_came_without(lab: Dataset, rhea: ApiClient) -> None:
    run = start(rhea, lab)
    leased = lease(rhea, run)
    priced = [judged(case, tokens=10, cost_usd="0.25") for case in leased["cases"][:2]]
    send(rhea, run, leased, *priced, judged(leased["cases"][2], tokens=10))
    run.refresh_from_db()
    spent = spent_by([run])[run.pk]
    assert (spent.tokens, spent.cost_usd) == (30, None)


def test_a_second_program_joins_the_run_and_a_new_one_is_made_on_demand(lab: Dataset, rhea: ApiClient) -> None:
    run = start(rhea, lab)
    joined = rhea.post(f"datasets/{lab.pk}/outside-runs/", {"evaluator": "mine"})
    assert (joined.status_code, joined.json()["id"]) == (200, run.pk)
    assert start(rhea, lab, anew=True).pk != run.pk


def test_an_evaluator_of_the_name_with_other_parameters_is_refused(lab: Dataset, rhea: ApiClient) -> None:
    start(rhea, lab)
    sent = {"evaluator": "mine", "parameters": {"threshold": 1}}
    answer = rhea.post(f"datasets/{lab.pk}/outside-runs/", sent)
    assert (answer.status_code, "give this one a name of its own" in answer.json()["detail"]) == (422, True)


def test_a_run_of_this_site_gives_no_case(lab: Dataset, rhea: ApiClient) -> None:
    run = start(rhea, lab)
    run.evaluator.method = "always-supported"
    run.evaluator.save()
    for address in ("leases/", "leases/renew/", "judgements/"):
        sent = {"lease": "x", "cases": [{"index": "0"}]}
        answer = rhea.post(f"runs/{run.pk}/{address}", sent)
        assert (answer.status_code, "worked on here" in answer.json()["detail"]) == (422, True)


def test_a_stopped_run_gives_no_case_and_keeps_what_is_under_way(lab: Dataset, rhea: ApiClient) -> None:
    run = start(rhea, lab)
    leased = lease(rhea, run, 1)
    run.stop()
    assert (lease(rhea, run)["cases"], send(rhea, run, leased)["stored"]) == ([], 1)


def test_workers_of_this_site_leave_its_cases_alone(lab: Dataset, rhea: ApiClient) -> None:
    run = start(rhea, lab)
    work_on(RunJob(), run.pk)
    assert sweep(RunJob()) == []
    run.refresh_from_db()
    assert (run.state, set(run.items.values_list("state", flat=True))) == ("queued", {RunItem.State.WAITING})


def test_a_sweep_ends_a_run_whose_end_was_lost(lab: Dataset, rhea: ApiClient) -> None:
    run = start(rhea, lab)
    lease(rhea, run)
    run.items.all().put(RunItem.State.DONE)
    assert sweep(RunJob()) == [run.pk]


def test_its_figures_stand_beside_those_of_other_evaluators(lab: Dataset, rhea: ApiClient) -> None:
    for response in lab.responses.all():
        first, second = response.segments.all()
        add_gold(first, "supported")
        add_gold(second, "not_supported")
    run = start(rhea, lab)
    leased = lease(rhea, run)
    cases = [judged(case) for case in leased["cases"]]
    for case in cases:
        case["judgements"][1]["value"] = "not_supported"
    send(rhea, run, leased, *cases)
    rows = {entry["evaluator"]: entry for entry in build_report(lab)["evaluators"]}
    f1 = {name: row["results"][0]["f1"] for name, row in rows.items()}
    # Three of six units are errors: who calls all of them one is right in half, and misses none.
    assert (f1["mine"], f1["always-not-supported"]) == (1, pytest.approx(2 * 0.5 / 1.5))
    assert (rows["mine"]["method"], rows["mine"]["cost_usd"]) == ("outside", None)


def test_the_page_says_who_holds_cases_and_how_to_join(lab: Dataset, rhea: ApiClient, client: Client) -> None:
    run = start(rhea, lab, evaluator="it's mine")
    client.force_login(User.objects.get(username="rhea"))
    page = squeezed(client.get(f"/runs/{run.pk}/").content.decode())
    assert "No program holds a response: 3 wait for one." in page
    words = "--dataset lab --name &#x27;it&#x27;&quot;&#x27;&quot;&#x27;s mine&#x27; --url http://testserver"
    assert f"touchstone evaluate-outside MODULE:FUNCTION {words}<" in page
    held = lease(rhea, run, 2, seconds=600)
    assert len(leases_of(run)) == 1
    page = squeezed(client.get(f"/runs/{run.pk}/progress/", headers={"HX-Request": "true"}).content.decode())
    assert '<th scope="row">rhea</th><td class="num">2</td>' in page
    assert f"{datetime.fromisoformat(held['until']):%H:%M:%S} UTC" in page
    RunItem.objects.filter(state="leased").update(lease_until=timezone.now() - timedelta(seconds=1))
    assert leases_of(run) == []
