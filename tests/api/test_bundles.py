"""Results bundles in by the API: sent, checked, imported by a worker, reported."""

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset, Role
from evaluators.bundle.export import export_results
from evaluators.bundle.results_upload_job import ResultsUploadJob
from evaluators.models import Evaluator, ResultsUpload, Run
from jobs.work import work_on
from tests.api.conftest import ApiClient, client_of
from tests.evaluators.bundle.lab import add_outside_run, make_lab
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def numbers(tmp_path: Path) -> Dataset:
    """Six responses of two segments with gold, which the evaluator "counter" has judged."""
    dataset = make_lab(tmp_path)
    add_outside_run(dataset, tmp_path)
    return dataset


@pytest.fixture
def bundle(numbers: Dataset, tmp_path: Path) -> bytes:
    """The results of "counter"; its run is here no more."""
    path = tmp_path / "theirs.zip"
    export_results(numbers, path)
    Run.objects.all().delete()
    Evaluator.objects.all().delete()
    return path.read_bytes()


@pytest.fixture
def rhea(numbers: Dataset) -> ApiClient:
    return client_of(make_person("rhea", numbers, Role.RESEARCHER))


def test_a_bundle_is_checked_imported_and_reported(numbers: Dataset, bundle: bytes, rhea: ApiClient) -> None:
    sent = rhea.upload(f"datasets/{numbers.pk}/results-imports/", bundle, "theirs.zip")
    assert sent.status_code == 202, sent.content
    key = sent.json()["id"]
    assert sent["Location"] == f"/api/v1/results-imports/{key}/"
    assert (sent.json()["state"], sent.json()["report"], Run.objects.count()) == ("waiting", None, 0)
    path = Path(ResultsUpload.objects.get().file.path)
    work_on(ResultsUploadJob(), key)
    found = rhea.get(f"results-imports/{key}/").json()
    run = Run.objects.get()
    assert found["state"] == "done"
    assert found["report"] == {"runs": [run.pk], "unchanged": 0, "other_gold": False, "differences": []}
    assert (run.evaluator.name, run.predictions.count()) == ("counter", 11)
    assert not path.exists()
    assert rhea.get(f"datasets/{numbers.pk}/results-imports/").json()["results"] == [found]


def test_the_same_bundle_again_adds_nothing(numbers: Dataset, bundle: bytes, rhea: ApiClient) -> None:
    for _ in range(2):
        key = rhea.upload(f"datasets/{numbers.pk}/results-imports/", bundle, "theirs.zip").json()["id"]
        work_on(ResultsUploadJob(), key)
    report = rhea.get(f"results-imports/{key}/").json()["report"]
    assert (report["runs"], report["unchanged"], Run.objects.count()) == ([], 1, 1)


def test_a_suffix_keeps_names_apart(numbers: Dataset, bundle: bytes, rhea: ApiClient, tmp_path: Path) -> None:
    """Another evaluator has the name here: without a suffix the import fails, and nothing of it is kept."""
    Run.objects.create(evaluator=Evaluator.objects.create(name="counter", method="imported"), dataset=numbers)
    Run.objects.update(state="finished")
    address = f"datasets/{numbers.pk}/results-imports/"
    plain, named = (
        rhea.upload(address, bundle, "theirs.zip", **fields).json()["id"] for fields in ({}, {"suffix": " (lab B)"})
    )
    path = Path(ResultsUpload.objects.get(pk=plain).file.path)
    for key in (plain, named):
        work_on(ResultsUploadJob(), key)
    failed = rhea.get(f"results-imports/{plain}/").json()
    assert (failed["state"], "has another run" in failed["error"], failed["report"]) == ("failed", True, None)
    assert not path.exists()
    assert set(numbers.runs.values_list("evaluator__name", flat=True)) == {"counter", "counter (lab B)"}
    page = Client()
    page.force_login(make_person("rita", numbers, Role.RESEARCHER))
    text = squeezed(page.get(reverse("bundle", args=[numbers.pk])).text)
    assert "1 run imported, 0 were there already. All figures are the same as in the bundle." in text
    assert "has another run over numbers here" in text


def test_a_file_that_is_no_bundle_of_the_dataset_is_refused_at_once(
    numbers: Dataset, bundle: bytes, rhea: ApiClient
) -> None:
    other = make_dataset("letters")
    make_response(other)
    zoe = client_of(make_person("zoe", other, Role.RESEARCHER))
    for api, dataset, file, cause in (
        (rhea, numbers, b"no zip", "theirs.zip: it is no whole zip file"),
        (zoe, other, bundle, "letters holds other responses"),
    ):
        answer = api.upload(f"datasets/{dataset.pk}/results-imports/", file, "theirs.zip")
        assert (answer.status_code, cause in answer.json()["detail"]) == (422, True), answer.content
    assert not ResultsUpload.objects.exists()


def test_other_gold_is_refused_unless_it_is_allowed(numbers: Dataset, bundle: bytes, rhea: ApiClient) -> None:
    numbers.gold_versions.all().delete()
    segment = numbers.responses.earliest("position").segments.earliest("position")
    segment.gold.all().delete()
    add_gold(segment, "not_supported")
    address = f"datasets/{numbers.pk}/results-imports/"
    refused = rhea.upload(address, bundle, "theirs.zip")
    assert (refused.status_code, "other gold" in refused.json()["detail"]) == (422, True)
    key = rhea.upload(address, bundle, "theirs.zip", other_gold="true").json()["id"]
    work_on(ResultsUploadJob(), key)
    report = rhea.get(f"results-imports/{key}/").json()["report"]
    assert (len(report["runs"]), report["other_gold"], report["differences"]) == (1, True, None)


def test_who_has_left_imports_nothing(numbers: Dataset, bundle: bytes, rhea: ApiClient) -> None:
    key = rhea.upload(f"datasets/{numbers.pk}/results-imports/", bundle, "theirs.zip").json()["id"]
    numbers.memberships.all().delete()
    work_on(ResultsUploadJob(), key)
    upload = ResultsUpload.objects.get()
    assert (upload.state, upload.error) == ("failed", "You may no longer import results into numbers.")
    assert not Run.objects.exists()
