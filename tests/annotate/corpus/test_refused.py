"""Rows that cannot be taken: counted by kind, skipped and kept in the report, or given a meaning."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from annotate.corpus import uploads
from annotate.corpus.importing import import_file
from annotate.corpus.recipe_parser import with_meanings
from annotate.corpus.skipped import skipped_lines
from annotate.corpus.upload_job import UploadJob
from annotate.models import GoldLabel, Import, Response, Role, Upload
from core.errors import DataError, FaultsError
from jobs.work import work_on
from tests.annotate.corpus.files import factscore_row, felm_row, write_rows
from tests.annotate.corpus.recipes import TRUTH, claims_recipe, recipe_of, sentences_recipe
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db

WHOLE = {
    "recipe": 1,
    "title": "Answers",
    "responses": {"prompt": "q", "text": "a", "label": {"at": "ok", "values": TRUTH}},
}


def answer(number: int, **changes: object) -> dict[str, object]:
    return {"q": f"Question {number}?", "a": f"Answer {number}.", "ok": number % 2 == 0, **changes}


# Nine answers: one is null, one empty, a prompt is empty, two labels are unknown and one is null.
MIXED = [
    answer(1),
    answer(2, a=None),
    answer(3, ok="unknown"),
    answer(4),
    answer(5, a=" "),
    answer(6, ok="unknown"),
    answer(7, ok=None),
    answer(8, q=""),
    answer(9),
]
KINDS = {
    "empty a": (2, [2, 5]),
    "label unknown": (2, [3, 6]),
    "label null": (1, [7]),
    "empty q": (1, [8]),
}


@pytest.fixture
def file(tmp_path):
    return tmp_path / "rows.jsonl"


@pytest.fixture
def dora(client):
    person = make_person("dora", make_dataset("moon"), Role.ADJUDICATOR)
    client.force_login(person)
    return person


def kinds_of(result) -> dict[str, tuple[int, list[int]]]:
    return {kind["kind"]: (kind["count"], kind["rows"]) for kind in result.refused.document()}


def test_rows_that_cannot_be_taken_are_counted_by_kind(file):
    result = import_file(
        write_rows(file, *MIXED), "moon", "mapped", recipe=recipe_of(WHOLE), dry_run=True, skip=("all",)
    )
    assert kinds_of(result) == KINDS
    assert result.created == 3


def test_they_are_left_out_and_kept_as_they_stood(file):
    result = import_file(write_rows(file, *MIXED), "moon", "mapped", recipe=recipe_of(WHOLE), skip=("all",))
    assert list(Response.objects.values_list("index", flat=True)) == ["1", "4", "9"]
    imported = Import.objects.get()
    assert (imported.created, imported.unchanged, imported.skipped) == (3, 0, 6)
    assert result.imported == imported
    lines = [json.loads(line) for line in skipped_lines(imported)]
    assert [(line["row"], line["kind"], line["content"]) for line in lines[:2]] == [
        (2, "empty a", MIXED[1]),
        (3, "label unknown", MIXED[2]),
    ]


def test_kinds_that_are_not_named_stop_the_import(file):
    with pytest.raises(FaultsError) as caught:
        import_file(write_rows(file, *MIXED), "moon", "mapped", recipe=recipe_of(WHOLE), skip=("empty a", "empty q"))
    assert [number for number, _ in caught.value.found] == [3, 6, 7]
    assert not Response.objects.exists()


def test_a_file_of_which_no_row_can_be_taken_is_refused(file):
    with pytest.raises(FaultsError, match="line 1: the key 'prompt' is missing"):
        import_file(write_rows(file, {"a": 1}, {"a": 2}), "moon", "responses", skip=("all",))


@pytest.mark.parametrize(
    ("format", "good", "bad", "kind"),
    [
        ("felm", felm_row(), felm_row("8", labels=[True, "unknown"]), "label 'unknown'"),
        ("felm", felm_row(), felm_row("8", prompt=None), "null prompt"),
        ("felm", felm_row(), felm_row(comment=["", "No."]), "index twice"),
        ("responses", {"prompt": "p", "response": "r"}, {"prompt": "p", "response": float("nan")}, "null response"),
        ("responses", {"prompt": "p", "response": "r"}, {"prompt": "p", "response": ""}, "empty response"),
        ("responses", {"prompt": "p", "response": "r"}, {"response": "r"}, "missing prompt"),
        ("responses", {"prompt": "p", "response": "r"}, ["no object"], "other"),
        ("factscore", factscore_row(), factscore_row("Bo", input=factscore_row()["input"]), "input with another topic"),
    ],
)
def test_every_format_names_its_kinds(file, format, good, bad, kind):
    result = import_file(write_rows(file, good, bad), "moon", format, "one", skip=("all",))
    ((found, (count, rows)),) = kinds_of(result).items()
    assert (found.startswith(kind), count, rows) == (True, 1, [2])
    assert Response.objects.count() == 1


def test_a_row_that_the_dataset_has_with_other_content_can_be_skipped(file):
    import_file(write_rows(file, felm_row()), "moon", "felm")
    changed = felm_row(comment=["", "No."])
    with pytest.raises(DataError, match="already in the dataset with other content"):
        import_file(write_rows(file, changed, felm_row("8")), "moon", "felm")
    result = import_file(file, "moon", "felm", skip=("index in the dataset",))
    assert (result.created, result.unchanged) == (1, 0)
    assert Import.objects.first().skipped_rows.get().number == 1


def test_rows_that_are_one_response_are_skipped_together(file):
    document = {**claims_recipe(), "together": "q"}
    document["responses"] = {
        "prompt": "q",
        "text": "a",
        "claims": {"each": "@rows", "text": "claim", "label": {"at": "ok", "values": TRUTH}},
    }
    rows = [{"q": q, "a": "It is.", "claim": f"{q} is.", "ok": ok} for q, ok in (("A", True), ("B", True), ("B", "?"))]
    result = import_file(write_rows(file, *rows), "moon", "mapped", recipe=recipe_of(document), skip=("all",))
    assert kinds_of(result) == {"label ?": (2, [2, 3])}
    assert Import.objects.get().skipped == 2


def test_meanings_are_given_to_labels_and_not_to_stances():
    document = with_meanings(sentences_recipe(), {"?": "no_label", "yes": "no_label"})
    claims = document["responses"]["sentences"]["claims"]
    assert claims["label"]["values"]["?"] == "no_label"
    assert claims["label"]["values"]["yes"] == "supported"
    assert "?" not in claims["evidence"]["stance"]["values"]


def test_the_command_skips_the_kinds_that_it_is_told(file, capsys):
    write_rows(file, {"prompt": "p", "response": "r"}, {"prompt": "p", "response": None})
    with pytest.raises(CommandError, match="line 2: response must be text, not null"):
        call_command("import_dataset", "moon", str(file), "--format", "responses")
    call_command("import_dataset", "moon", str(file), "--format", "responses", "--skip", "null response")
    assert capsys.readouterr().out == "moon: 1 created, 0 unchanged\n1 skipped, null response: line 2\n"
    call_command("import_dataset", "moon", str(file), "--format", "responses", "--skip", "all", "--json")
    assert json.loads(capsys.readouterr().out)["skipped"][0]["rows"] == [2]


def send(client, *rows: object, **fields: object):
    content = "".join(json.dumps(row) + "\n" for row in rows).encode()
    form = {"file": SimpleUploadedFile("answers.jsonl", content), "dataset_name": "moon", "format": "mapped"}
    return client.post("/import/", {**form, **fields})


def test_one_null_response_costs_the_file_nothing(client, dora):
    rows = [{"prompt": f"{n}?", "response": None if n == 3 else "So."} for n in range(5)]
    preview = send(client, *rows, format="responses").url
    page = client.get(preview).content.decode()
    assert "null response" in page
    assert "skip 1 row</button>" in page
    client.post(f"{preview}confirm/")
    work_on(UploadJob(), Upload.objects.get().pk)
    imported = Import.objects.get()
    assert (imported.created, imported.skipped) == (4, 1)
    assert f"/imports/{imported.pk}/" in client.get(preview).content.decode()
    report = client.get(f"/imports/{imported.pk}/").content.decode()
    assert "response must be text, not null" in report
    rows_file = client.get(f"/imports/{imported.pk}/skipped.jsonl")
    assert json.loads(b"".join(rows_file.streaming_content))["content"] == rows[3]
    assert "answers.jsonl" in client.get(f"/datasets/{imported.dataset_id}/imports/").content.decode()


def test_a_label_far_down_gets_a_meaning(client, dora):
    rows = [answer(n) for n in range(250)] + [answer(n, ok="unknown") for n in range(250, 254)]
    mapping = send(client, *rows).url
    chosen = {"kind": "whole", "prompt": "q", "text": "a", "label": "ok", "preview": ""}
    preview = client.post(mapping, {**chosen, "value-0": "supported", "value-1": "not_supported"}).url
    page = client.get(preview).content.decode()
    assert "label unknown" in page
    assert "skip 4 rows</button>" in page
    assert client.post(f"{preview}confirm/", {"meaning-0": "not_supported"}).url == preview
    assert Upload.objects.get().confirmed_at is None
    assert Upload.objects.get().preview["created"] == 254
    mapped_again = client.get(mapping).content.decode()
    assert ">unknown</label>" in mapped_again
    client.post(f"{preview}confirm/")
    work_on(UploadJob(), Upload.objects.get().pk)
    assert GoldLabel.objects.filter(value="not_supported").count() == 125 + 4


def test_a_large_file_is_looked_through_by_a_worker(client, dora, monkeypatch):
    monkeypatch.setattr(uploads, "LARGE", 10)
    preview = send(client, {"prompt": "p", "response": "r"}, {"prompt": "p"}, format="responses").url
    upload = Upload.objects.get()
    assert (upload.to_check, upload.preview) == (True, {})
    assert "a worker looks it through" in client.get(preview).content.decode()
    client.post(f"{preview}confirm/")
    work_on(UploadJob(), upload.pk)
    upload.refresh_from_db()
    assert (upload.to_check, upload.state, upload.confirmed_at) == (False, "waiting", None)
    assert "skip 1 row</button>" in client.get(preview).content.decode()
    client.post(f"{preview}confirm/")
    work_on(UploadJob(), upload.pk)
    assert Response.objects.count() == 1


def test_a_large_file_of_which_nothing_can_be_taken_says_so(client, dora, monkeypatch):
    monkeypatch.setattr(uploads, "LARGE", 10)
    preview = send(client, {"question": "p"}, format="responses").url
    upload = Upload.objects.get()
    work_on(UploadJob(), upload.pk)
    page = client.get(preview).content.decode()
    assert "the key &#x27;prompt&#x27; is missing" in page
    client.post(f"{preview}confirm/")
    upload.refresh_from_db()
    assert upload.confirmed_at is None


def test_annotators_see_no_import(client, dora, file):
    import_file(write_rows(file, felm_row()), "moon", "felm")
    imported = Import.objects.get()
    client.force_login(make_person("ada", imported.dataset))
    for address in ("", "skipped.jsonl"):
        assert client.get(f"/imports/{imported.pk}/{address}").status_code == 404
    assert client.get(f"/datasets/{imported.dataset_id}/imports/").status_code == 403
