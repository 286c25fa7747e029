"""What a recipe does not read of its rows: kept with each response, shown, found and given out again."""

import io
import json
from urllib.parse import quote

import pyarrow.parquet as pq
import pytest
from django.urls import reverse

from annotate.corpus.importing import import_file
from annotate.corpus.unread import LONGEST_DETAILS, details_of, read_keys
from annotate.export.dataset import ask
from annotate.export.files import write_file
from annotate.export.gold import FORMAT as GOLD
from annotate.models import Dataset, Import, Response, Role
from tests.annotate.adjudication.work import judge, make_task
from tests.annotate.corpus.files import write_rows
from tests.annotate.corpus.recipes import (
    claims_recipe,
    claims_row,
    read_one,
    recipe_of,
    sentences_recipe,
    sentences_row,
)
from tests.api.conftest import client_of
from tests.factories import make_dataset, make_person, make_response


@pytest.fixture
def file(tmp_path):
    return tmp_path / "rows.jsonl"


def test_keys_that_the_recipe_does_not_read_are_details_at_any_depth(file):
    row = claims_row(colour="grey", meta={"by": "Zoë", "v1.0": [1, None]}, empty="")
    row["claims"][1]["weight"] = 0.5
    read = read_one(write_rows(file, row), claims_recipe())
    assert read.details == {
        "claims": [None, {"weight": 0.5}],
        "colour": "grey",
        "meta": {"by": "Zoë", "v1.0": [1, None]},
    }
    assert read.warnings == ()


def test_a_row_of_which_all_is_read_has_no_details(file):
    assert read_one(write_rows(file, claims_row()), claims_recipe()).details == {}


def test_details_do_not_tell_one_row_from_another(file):
    plain, with_more = (
        read_one(write_rows(file, row), claims_recipe()) for row in (claims_row(), claims_row(colour="grey"))
    )
    assert plain.content_hash == with_more.content_hash


def test_rows_that_are_one_response_give_a_list_where_they_differ():
    read = read_keys(recipe_of(claims_recipe()))
    rows = [{"question": "Q", "by": "anna", "run": 1}, {"question": "Q", "by": "ben", "run": 1}, {"run": 1}]
    assert details_of(rows, read) == ({"by": ["anna", "ben", None], "run": 1}, [])


def test_what_is_too_long_or_cannot_be_stored_is_left_out():
    rows = [{"long": "x" * LONGEST_DETAILS, "nul": "a\0b", "score": float("nan"), "list": [float("inf"), "\ud800"]}]
    details, warnings = details_of(rows, {})
    assert details == {"nul": "ab", "list": [None, ""]}
    assert warnings == ["'long' is not kept: the details of a response hold 20,000 characters"]


@pytest.mark.django_db
def test_other_data_of_a_task_of_label_studio_are_details(file):
    task = {"id": 7, "data": {"question": "Why?", "answer": "So.", "origin": "web", "domain": "law"}}
    import_file(write_rows(file, task), "studio", Import.Format.RESPONSES)
    assert Response.objects.get().details == {"origin": "web"}


@pytest.mark.django_db
def test_details_are_found_and_exported_as_an_object_or_a_cell_of_json(file):
    row = sentences_row()
    rows = [{**row, "id": n, "colour": colour} for n, colour in enumerate(("grün", 'r"ot'))]
    import_file(write_rows(file, *rows), "moon", Import.Format.MAPPED, recipe=recipe_of(sentences_recipe()))
    dataset = Dataset.objects.get()
    api = client_of(make_person("dora", dataset, Role.ADJUDICATOR))
    for sought, index in (("grün", "0"), ('R"OT', "1"), ("colour", None), ("blau", "")):
        found = api.get(f"datasets/{dataset.pk}/responses/?details={quote(sought)}").json()["results"]
        assert [each["index"] for each in found] == (["0", "1"] if index is None else [index] if index else [])
    assert api.get(f"responses/{dataset.responses.get(index='0').pk}/").json()["details"]["colour"] == "grün"
    asked = ask(dataset, "gold")
    first = json.loads(b"".join(write_file(GOLD, asked, "jsonl")).decode().split("\n")[0])
    assert first["details"]["colour"] == "grün"
    assert '""colour"": ""grün""' in b"".join(write_file(GOLD, asked, "csv")).decode()
    table = pq.read_table(io.BytesIO(b"".join(write_file(GOLD, asked, "parquet"))))
    assert json.loads(table["details"][0].as_py())["colour"] == "grün"
    exported = api.get(f"datasets/{dataset.pk}/export/?form=gold&details=gr%C3%BCn")
    assert {json.loads(line)["index"] for line in b"".join(exported).splitlines()} == {"0"}


@pytest.mark.django_db
def test_details_are_shown_to_adjudicators_and_never_to_annotators(client):
    dataset = make_dataset()
    response = make_response(dataset, details={"items": ["<b>1</b>"], "model": "secret-7b"})
    task = make_task(response)
    first, _ = response.segments.all()
    judge(task, make_person("ben", dataset), {first: "supported"})
    judge(task, make_person("cai", dataset), {first: "not_supported/knowledge/No."})
    client.force_login(make_person("dora", dataset, Role.ADJUDICATOR))
    for page in (reverse("response", args=[response.pk]), reverse("adjudicate-segment", args=[dataset.pk, first.pk])):
        shown = client.get(page).content.decode()
        assert "secret-7b" in shown and "[&quot;&lt;b&gt;1&lt;/b&gt;&quot;]" in shown
    found = client.get(reverse("responses", args=[dataset.pk]), {"details": "secret-7b"}).content.decode()
    assert f'href="/responses/{response.pk}/"' in found and 'value="secret-7b"' in found
    assert (
        f'href="/responses/{response.pk}/"'
        not in client.get(reverse("responses", args=[dataset.pk]), {"details": "other"}).content.decode()
    )
    client.force_login(make_person("ada", dataset))
    assert client.get(reverse("response", args=[response.pk])).status_code in (403, 404)
