"""Background work by the API."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotate.models import Dataset, Role
from api.jobs.listing import LISTED
from evaluators.models import Run, RunItem
from evaluators.runs.create import create_run
from factor.scoring.start import ScoringRequest, start
from jobs.kinds import KINDS
from jobs.limits import Limits
from tests.api.conftest import ApiClient, client_of
from tests.api.test_runs import finished
from tests.factor.scoring.work import make_benchmark, served
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def lab() -> Dataset:
    dataset = make_dataset()
    make_response(dataset)
    make_response(dataset)
    return dataset


@pytest.fixture
def rhea(lab: Dataset) -> ApiClient:
    return client_of(make_person("rhea", lab, Role.RESEARCHER))


def test_every_kind_of_job_is_listed() -> None:
    assert {name for name, kind in KINDS.items() if kind.job is not None} == set(LISTED)


def test_jobs_of_all_kinds_are_listed_with_their_progress(lab: Dataset, rhea: ApiClient) -> None:
    run = finished(lab, "random")
    scoring = start(make_benchmark(lab), served(lab), ScoringRequest())
    Run.objects.filter(pk=run.pk).update(created_at=timezone.now() - timedelta(hours=1))
    first, second = rhea.get("jobs/").json()["results"]
    assert (first["kind"], first["state"], first["own_state"], first["done"]) == ("scoring", "active", "scoring", 0)
    assert first["address"] == f"/api/v1/scorings/{scoring.pk}/"
    assert {name: second[name] for name in ("kind", "id", "dataset", "state", "items", "done", "failed")} == {
        "kind": "run",
        "id": run.pk,
        "dataset": lab.pk,
        "state": "finished",
        "items": 2,
        "done": 2,
        "failed": 0,
    }


def test_jobs_are_narrowed_by_kind_and_state(lab: Dataset, rhea: ApiClient) -> None:
    finished(lab, "lexical")
    waiting, stopped = create_run(lab, "random").run, create_run(lab, "always-supported").run
    stopped.stop_with(ValueError("No weights."))
    start(make_benchmark(lab), served(lab), ScoringRequest())
    found = rhea.get("jobs/?kind=run&state=active&fields=id").json()
    assert found["results"] == [{"id": waiting.pk}]
    (failed,) = rhea.get("jobs/?state=stopped").json()["results"]
    assert (failed["id"], failed["own_state"], failed["error"]) == (stopped.pk, "failed", "No weights.")
    assert rhea.get("jobs/?kind=laundry").status_code == 422


def test_jobs_come_in_pages_that_follow_one_another(lab: Dataset, rhea: ApiClient) -> None:
    for _ in range(3):
        create_run(lab, "random", force=True)
    benchmark, model = make_benchmark(lab), served(lab)
    for _ in range(2):
        start(benchmark, model, ScoringRequest())
    # All at the same moment: kind and key decide.
    Run.objects.update(created_at=timezone.now())
    benchmark.scorings.update(created_at=Run.objects.first().created_at)
    address, pages = "jobs/?page_size=2", []
    while address:
        page = rhea.get(address.removeprefix("http://testserver")).json()
        pages += [(each["kind"], each["id"]) for each in page["results"]]
        address = page["next"]
    runs, scorings = Run.objects.order_by("-pk"), benchmark.scorings.order_by("-pk")
    assert pages == [("scoring", each.pk) for each in scorings] + [("run", each.pk) for each in runs]


@pytest.mark.parametrize("cursor", ["x", "MjAyNi0wMS0wMSBydW4gMQ==", "é"])
def test_a_cursor_that_is_none_is_refused(rhea: ApiClient, cursor: str) -> None:
    assert rhea.get(f"jobs/?cursor={cursor}").status_code == 422


def test_one_job_has_its_items_by_state_and_why_they_failed(lab: Dataset, rhea: ApiClient) -> None:
    make_response(lab)
    run = create_run(lab, "random", limits=Limits(900, None)).run
    failed, leased, _ = run.items.order_by("pk")
    now = timezone.now()
    RunItem.objects.filter(pk=failed.pk).update(state="failed", error="No answer.", settled_at=now)
    RunItem.objects.filter(pk=leased.pk).update(state="leased", lease_owner="w", lease_until=now + timedelta(hours=1))
    found = rhea.get(f"jobs/run/{run.pk}/").json()
    assert [found[name] for name in ("items", "waiting", "under_way", "done", "failed")] == [3, 1, 1, 0, 1]
    assert found["failures"] == [{"reason": "No answer.", "items": 1}]
    assert (found["max_tokens"], found["rate"], found["not_picked_up"]) == (900, None, False)
    assert rhea.get("jobs/").json()["results"] == [{key: found[key] for key in rhea.get("jobs/").json()["results"][0]}]
    assert rhea.get(f"jobs/laundry/{run.pk}/").status_code == 404


def test_jobs_of_others_are_not_listed(lab: Dataset) -> None:
    create_run(lab, "random")
    ada = client_of(make_person("ada", lab, Role.ANNOTATOR))
    oscar = client_of(make_person("oscar", make_dataset("other"), Role.ADJUDICATOR))
    assert [each.get("jobs/").json()["results"] for each in (ada, oscar)] == [[], []]


def test_the_queries_of_the_list_do_not_grow(lab: Dataset, rhea: ApiClient) -> None:
    rhea.get("jobs/")
    counts = []
    for _ in range(2):
        for _ in range(3):
            create_run(lab, "random", force=True)
        with CaptureQueriesContext(connection) as queries:
            rhea.get("jobs/")
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert RunItem.objects.count() == 12
