"""Files by the API: a dataset in the forms of the command, results bundles, tables of units."""

import csv
import io
import json
import zipfile
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from django.core.management import call_command

from annotate.models import Dataset, Role, ViewReceipt
from audit.models import AuditEntry
from evaluators.bundle.take_in import import_results
from tests.annotate.adjudication.work import make_task
from tests.api.conftest import ApiClient, client_of
from tests.evaluators.bundle.lab import add_outside_run, make_lab
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def numbers(tmp_path: Path) -> Dataset:
    """Six responses of two segments with gold, which an evaluator has judged; the first was labelled."""
    dataset = make_lab(tmp_path)
    add_outside_run(dataset, tmp_path)
    make_task(dataset.responses.earliest("position"))
    return dataset


@pytest.fixture
def rhea(numbers: Dataset) -> ApiClient:
    return client_of(make_person("rhea", numbers, Role.RESEARCHER))


def content(api: ApiClient, address: str) -> bytes:
    answer = api.get(address)
    assert answer.status_code == 200, answer.content
    return b"".join(answer)


@pytest.mark.parametrize("form", ["felm", "csv", "inspect"])
def test_an_export_is_the_file_of_the_command(numbers: Dataset, rhea: ApiClient, tmp_path: Path, form: str) -> None:
    path = tmp_path / "written"
    call_command("export_dataset", numbers.name, "--format", form, "--output", str(path))
    assert content(rhea, f"datasets/{numbers.pk}/export/?form={form}") == path.read_bytes()
    assert AuditEntry.objects.filter(action="downloaded").latest("pk").object_name.startswith(form)
    assert ViewReceipt.objects.get().what == ViewReceipt.What.LABELS


@pytest.mark.parametrize("accept", ["*/*", "text/csv", "application/json"])
def test_a_file_is_of_its_own_kind_whatever_is_accepted(numbers: Dataset, rhea: ApiClient, accept: str) -> None:
    answer = rhea.get(f"datasets/{numbers.pk}/export/?form=csv", accept=accept)
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/csv")


def test_an_export_without_a_form_is_that_of_the_scheme(numbers: Dataset, rhea: ApiClient) -> None:
    address = f"datasets/{numbers.pk}/export/"
    assert content(rhea, address) == content(rhea, f"{address}?form=felm")
    rows = [json.loads(line) for line in content(rhea, address).splitlines()]
    assert [len(row["segmented_response"]) for row in rows] == [2] * 6


@pytest.mark.parametrize(
    ("query", "cause"),
    [
        ("form=factscore", "it has no factscore rows"),
        ("form=labels", "valid choice"),
        ("gold_version=v9", "v9"),
        ("subject=nobody", "no responses by 'nobody'"),
    ],
)
def test_an_export_that_cannot_be_says_why(numbers: Dataset, rhea: ApiClient, query: str, cause: str) -> None:
    answer = rhea.get(f"datasets/{numbers.pk}/export/?{query}")
    assert (answer.status_code, cause in answer.json()["detail"]) == (422, True), answer.content
    assert not ViewReceipt.objects.exists()


def test_an_export_of_several_subjects_names_them() -> None:
    """Before the answer begins, not in the middle of it."""
    lives = make_dataset("lives", scheme="factscore")
    for subject in ("amber", "basalt"):
        make_response(lives, ["Ada painted."], prompt="Ada", subject=subject)
    answer = client_of(make_person("ria", lives, Role.RESEARCHER)).get(f"datasets/{lives.pk}/export/?form=factscore")
    assert answer.status_code == 422
    assert answer.json()["detail"] == "lives holds several subjects: name one of amber, basalt."


def test_a_results_bundle_is_one_that_another_site_takes_in(numbers: Dataset, rhea: ApiClient, tmp_path: Path) -> None:
    path = tmp_path / "results.zip"
    path.write_bytes(content(rhea, f"datasets/{numbers.pk}/results/"))
    figures = json.loads(zipfile.ZipFile(path).read("figures.json"))
    assert figures == json.loads(json.dumps(rhea.get(f"datasets/{numbers.pk}/report/").json()))
    numbers.runs.all().delete()
    taken = import_results(numbers, path)
    assert [run.evaluator.name for run in taken.runs] == ["counter"]
    assert taken.differences == []


def test_a_table_of_units_has_a_row_a_unit(numbers: Dataset, rhea: ApiClient) -> None:
    address = f"datasets/{numbers.pk}/results/units/"
    table = pq.read_table(io.BytesIO(content(rhea, address)))
    units = list(csv.DictReader(io.StringIO(content(rhea, f"datasets/{numbers.pk}/export/?form=csv").decode())))
    assert table["gold"].to_pylist() == [unit["value"] for unit in units]
    assert table["counter: prediction"].to_pylist().count("supported") == 5
    refused = rhea.get(f"{address}?evaluator=nobody")
    assert (refused.status_code, "nobody" in refused.json()["detail"]) == (422, True)
