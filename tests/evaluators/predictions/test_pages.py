"""The page that takes in predictions made elsewhere."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset
from evaluators.models import Evaluator, Prediction, Run
from tests.factories import make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    dataset = make_dataset()
    make_response(dataset, index="1")
    return dataset


@pytest.fixture
def rhea(dataset) -> Client:
    client = Client()
    client.force_login(make_person("rhea", dataset, "researcher"))
    return client


def row(**changes: object) -> dict[str, object]:
    return {"index": "1", "segment": 0, "fact": None, "value": "supported", "score": 0.9, "rationale": ""} | changes


def send(client: Client, dataset: Dataset, *rows: object, evaluator: str = "theirs", name: str = "said.jsonl") -> str:
    content = "".join(json.dumps(each) + "\n" for each in rows).encode()
    form = {"evaluator": evaluator, "file": SimpleUploadedFile(name, content)}
    return client.post(reverse("import-predictions", args=[dataset.pk]), form, follow=True).content.decode()


def test_a_file_becomes_a_run(dataset, rhea):
    text = send(rhea, dataset, row(), row(segment=1, value=None, score=None))
    assert "2 predictions imported, 0 were there already" in text
    assert Run.objects.get().evaluator.name == "theirs"
    assert list(Prediction.objects.order_by("segment").values_list("value", flat=True)) == ["supported", None]


def test_the_same_file_again_adds_nothing(dataset, rhea):
    send(rhea, dataset, row())
    assert "0 predictions imported, 1 were there already" in send(rhea, dataset, row())


def test_what_is_wrong_is_said_with_its_line_and_nothing_is_kept(dataset, rhea):
    text = send(rhea, dataset, row(), row(segment=7), name="<b>said.jsonl")
    assert "line 2" in text
    assert "segment 7" in text
    assert "<b>said" not in text
    assert not Evaluator.objects.exists()


def test_the_name_of_an_evaluator_that_runs_here_is_refused_at_its_field(dataset, rhea):
    Evaluator.objects.create(name="lexical", method="lexical")
    assert "exists with another method" in send(rhea, dataset, row(), evaluator="lexical")


def test_both_fields_are_required(dataset, rhea):
    answer = rhea.post(reverse("import-predictions", args=[dataset.pk]), {})
    assert answer.content.decode().count("This field is required") == 2


def test_a_file_that_is_too_large_is_sent_to_the_command(dataset, rhea, settings):
    settings.UPLOAD_LIMIT_BYTES = 10
    assert "A larger one goes in by the command import_predictions" in send(rhea, dataset, row())


def test_an_annotator_may_not(dataset):
    ada = Client()
    ada.force_login(make_person("ada", dataset))
    answer = ada.post(reverse("import-predictions", args=[dataset.pk]), {})
    assert answer.status_code == 403
