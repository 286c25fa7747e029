"""The page of results as a file."""

from io import BytesIO
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotate.models import Role
from evaluators.models import Evaluator, Run
from tests.evaluators.bundle.lab import add_outside_run, make_lab
from tests.factories import make_person
from tests.pages import squeezed
from tests.zips import damaged_zip

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset(client, tmp_path):
    dataset = make_lab(tmp_path)
    client.force_login(make_person("rhea", dataset, Role.RESEARCHER))
    return dataset


def test_without_a_run_it_says_what_to_do(client, dataset) -> None:
    assert b"No finished runs yet" in client.get(reverse("bundle", args=[dataset.pk])).content


def test_what_is_exported_comes_in_again(client, dataset, tmp_path) -> None:
    add_outside_run(dataset, tmp_path)
    answer = client.post(reverse("bundle-file", args=[dataset.pk]), {"evaluator": "counter", "gold": "v1"})
    content = b"".join(answer.streaming_content)
    assert "runs/1/predictions.jsonl" in ZipFile(BytesIO(content)).namelist()
    Run.objects.all().delete()
    Evaluator.objects.all().delete()

    file = SimpleUploadedFile("results.zip", content)
    page = client.post(reverse("bundle", args=[dataset.pk]), {"file": file}, follow=True)
    assert b"1 run imported, 0 were there already" in page.content
    assert b"All figures are the same as in the bundle" in page.content
    run = client.get(reverse("run", args=[Run.objects.get().pk])).text
    assert "Imported from the results bundle results.zip" in squeezed(run)


def test_what_is_wrong_with_a_file_stands_at_the_form(client, dataset) -> None:
    page = client.post(reverse("bundle", args=[dataset.pk]), {"file": SimpleUploadedFile("x.zip", b"no")})
    assert page.status_code == 422
    assert b"x.zip: it is no whole zip file" in page.content


@pytest.mark.parametrize("method", [ZIP_DEFLATED, ZIP_BZIP2, ZIP_LZMA])
def test_a_file_whose_packed_bytes_are_damaged_is_refused_at_the_form(client, dataset, method) -> None:
    file = SimpleUploadedFile("x.zip", damaged_zip("bundle.json", method))
    page = client.post(reverse("bundle", args=[dataset.pk]), {"file": file})
    assert page.status_code == 422
    assert b"x.zip: it " in page.content and b"None" not in page.content


def test_an_unknown_evaluator_is_named(client, dataset) -> None:
    page = client.post(reverse("bundle-file", args=[dataset.pk]), {"evaluator": "nobody"}, follow=True)
    assert b"no finished run of an evaluator" in page.content
