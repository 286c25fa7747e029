"""What each annotator said as a table, in every kind of file, under the names that its reader may see."""

import csv
import io
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from python_calamine import CalamineWorkbook

from annotate.export.annotations import COLUMNS
from annotate.models import (
    Assignment,
    Dataset,
    Guideline,
    Label,
    ReferenceLink,
    ResponseLabel,
    Role,
    UnitMark,
    ViewReceipt,
)
from annotate.people.names import pseudonym
from tests.annotate.adjudication.work import judge, make_task
from tests.api.conftest import client_of
from tests.factories import add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def lab() -> Dataset:
    """Käthe and Ben judged one response, Käthe with all that one can say; a second response nobody has judged."""
    dataset = make_dataset("lab")
    response = make_response(dataset, ["=1+1 is two.", "中 is a word."], prompt="Käse?", index="r1", subject="m")
    make_response(dataset, ["Ants march."], prompt="Ants?", index="r2", subject="n")
    one, two = response.segments.all()
    task = make_task(response)
    work = judge(task, make_person("kaethe", dataset), {one: "supported", two: "not_supported/knowledge/Nein, ü."})
    judge(task, make_person("ben", dataset), {one: "supported"})
    Assignment.objects.filter(pk=work.pk).update(active_seconds=75, comment="An odd prompt.")
    guideline = Guideline.objects.create(dataset=dataset, version=3, text="Look it up.")
    Label.objects.filter(assignment=work).update(guideline=guideline, flagged=True)
    Label.objects.filter(reason="Nein, ü.").update(
        suggestion="after", suggestion_run=7, suggested="not_supported", first_value="supported"
    )
    ReferenceLink.objects.update(quote="Not so.", stance="refutes")
    UnitMark.objects.create(assignment=work, segment=two, kind="cut", note="Two claims.")
    work.edits.create(segment=two, text="中 is a letter.")
    ResponseLabel.objects.create(assignment=work, response=response, keep=False, reason="Too short.")
    add_gold(one, "supported")
    return dataset


def command(*options: str) -> str:
    out = io.StringIO()
    call_command("export_dataset", "lab", *options, stdout=out)
    return out.getvalue()


def page(client: Client, dataset: Dataset, **query: str):
    return client.get(reverse("dataset-export", args=[dataset.pk]), query)


def login(name: str, dataset: Dataset, role: str) -> Client:
    client = Client()
    client.force_login(make_person(name, dataset, role))
    return client


def test_a_row_tells_all_that_is_known_of_a_judgement(lab: Dataset) -> None:
    rows = [json.loads(line) for line in command("--format", "annotations").splitlines()]
    assert [(row["segment"], row["annotator"]) for row in rows] == [(0, "ben"), (0, "kaethe"), (1, "kaethe")]
    assert list(rows[2]) != [] and set(rows[2]) == set(COLUMNS)
    work = Assignment.objects.get(annotator__username="kaethe")
    label = Label.objects.get(reason="Nein, ü.")
    assert rows[2] == {
        "index": "r1",
        "domain": "math",
        "topic": "Käse?",
        "subject": "m",
        "prompt": "Käse?",
        "segment": 1,
        "fact": None,
        "text": "中 is a word.",
        "annotator": "kaethe",
        "value": "not_supported",
        "error_type": "knowledge",
        "irrelevance": None,
        "reason": "Nein, ü.",
        "references": ["https://kaethe.example"],
        "evidence": [
            {
                "source": "https://kaethe.example",
                "stance": "refutes",
                "quote": "Not so.",
                "hash": None,
                "fetched_at": None,
            }
        ],
        "correction": "中 is a letter.",
        "keep": False,
        "keep_reason": "Too short.",
        "flagged": True,
        "mark": "cut",
        "mark_note": "Two claims.",
        "suggestion": "after",
        "suggestion_run": 7,
        "suggested": "not_supported",
        "first_value": "supported",
        "comment": "An odd prompt.",
        "revision": 0,
        "guideline_version": 3,
        "submitted_at": work.submitted_at and work.submitted_at.isoformat(),
        "created_at": label.created_at.isoformat(),
        "task_seconds": 75,
        "probability": None,
        "details": None,
    }


def test_every_kind_of_file_has_the_same_rows(lab: Dataset, tmp_path: Path) -> None:
    rows = [json.loads(line) for line in command("--format", "annotations").splitlines()]
    files = {kind: tmp_path / f"labels.{kind}" for kind in ("csv", "parquet", "xlsx")}
    for kind, file in files.items():
        command("--format", "annotations", "--file-type", kind, "--output", str(file))
    assert pq.read_table(files["parquet"]).to_pylist() == rows
    read = list(csv.DictReader(io.StringIO(files["csv"].read_text(encoding="utf-8-sig"))))
    [head, *cells] = CalamineWorkbook.from_path(files["xlsx"]).get_sheet_by_index(0).to_python()
    assert head == list(COLUMNS)
    for place, row in enumerate(rows):
        sheet = dict(zip(head, cells[place], strict=True))
        assert (sheet["annotator"], sheet["text"]) == (row["annotator"], row["text"])
        # A formula in CSV is none; in the sheet the text is a text.
        assert read[place]["text"] == ("'=1+1 is two." if row["text"].startswith("=") else row["text"])
        assert read[place]["correction"] == sheet["correction"] == (row["correction"] or "")
    assert json.loads(read[2]["evidence"]) == rows[2]["evidence"][0]


@pytest.mark.parametrize("options", [["csv"], ["gold", "--file-type", "csv"], ["annotations", "--file-type", "csv"]])
def test_csv_begins_with_the_mark_by_which_excel_reads_it(lab: Dataset, tmp_path: Path, options: list[str]) -> None:
    printed = command("--format", *options)
    command("--format", *options, "--output", str(tmp_path / "file"))
    assert printed.encode() == (tmp_path / "file").read_bytes()
    assert printed.encode().startswith(b"\xef\xbb\xbfindex,")
    assert printed.count("\ufeff") == 1


def test_the_command_takes_the_filters_of_the_list_and_pseudonyms(lab: Dataset) -> None:
    assert command("--format", "annotations", "--subject", "n") == ""
    assert command("--format", "annotations", "--text", "ants") == ""
    assert len(command("--format", "gold", "--state", "new").splitlines()) == 1
    names = {json.loads(line)["annotator"] for line in command("--format", "annotations", "--pseudonyms").splitlines()}
    people = Assignment.objects.values_list("annotator", flat=True)
    assert names == {pseudonym(lab.pk, person) for person in people}


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        (["gold", "--file-type", "xlsx"], "A file of Excel is no text: name it with --output"),
        (["felm", "--file-type", "csv"], "felm is written as JSON lines alone"),
        (["gold", "--file-type", "json"], "gold is written as JSON lines alone"),
        (["labels", "--domain", "x"], "exported whole"),
    ],
)
def test_a_file_that_cannot_be_is_refused(lab: Dataset, options: list[str], cause: str) -> None:
    with pytest.raises(CommandError, match=cause):
        command("--format", *options)


def test_researchers_read_closed_work_under_pseudonyms_without_comments(lab: Dataset) -> None:
    rhea = login("rhea", lab, Role.RESEARCHER)
    wanted = {"form": "annotations", "file_type": "jsonl", "names": "on"}
    assert b"".join(page(rhea, lab, **wanted)) == b""
    lab.tasks.update(closed_at=timezone.now())
    rows = [json.loads(line) for line in b"".join(page(rhea, lab, **wanted)).splitlines()]
    assert {row["annotator"] for row in rows} == {
        pseudonym(lab.pk, person) for person in Assignment.objects.values_list("annotator", flat=True)
    }
    assert {row["comment"] for row in rows} == {None}
    assert b"kaethe" not in b"".join(page(rhea, lab, form="labelstudio")).replace(b"kaethe.example", b"")
    assert ViewReceipt.objects.filter(who__username="rhea", what=ViewReceipt.What.LABELS).exists()


def test_adjudicators_choose_names_on_the_page_and_by_the_api(lab: Dataset) -> None:
    dora = login("dora", lab, Role.ADJUDICATOR)
    address = f"datasets/{lab.pk}/export/?form=annotations&file_type=csv"
    api = client_of(make_person("dana", lab, Role.ADJUDICATOR))
    for names, hidden in (
        (b"".join(page(dora, lab, form="annotations", file_type="csv", names="on")), False),
        (b"".join(page(dora, lab, form="annotations", file_type="csv")), True),
        (b"".join(api.get(address)), False),
        (b"".join(api.get(f"{address}&names=false")), True),
    ):
        rows = list(csv.DictReader(io.StringIO(names.decode("utf-8-sig"))))
        assert [row["annotator"].startswith("annotator ") for row in rows] == [hidden] * 3
        assert names.startswith(b"\xef\xbb\xbf")


def test_label_studio_has_the_times(lab: Dataset) -> None:
    [task, _] = json.loads(command("--format", "labelstudio"))
    ben, kaethe = sorted(task["annotations"][:2], key=lambda each: each["completed_by"]["username"])
    assert kaethe["lead_time"] == 75.0 and "lead_time" not in ben
    assert kaethe["created_at"] == Assignment.objects.get(pk=kaethe["id"]).submitted_at.isoformat()


def test_the_page_begins_with_the_filters_of_the_list(lab: Dataset) -> None:
    dora = login("dora", lab, Role.ADJUDICATOR)
    shown = page(dora, lab, q="ants", subject="n").content.decode()
    assert "1 of 2" in " ".join(shown.split())
    assert '<option value="n" selected>' in shown and 'value="ants"' in shown
    listed = dora.get(reverse("dataset", args=[lab.pk]), {"q": "ants"}).content.decode()
    assert f"{reverse('dataset-export', args=[lab.pk])}?q=ants" in listed


def test_the_page_asks_for_one_of_several_subjects() -> None:
    lives = make_dataset("lives", scheme="factscore")
    for subject in ("amber", "basalt"):
        make_response(lives, ["Ada painted."], prompt="Ada", subject=subject)
    refused = page(login("dora", lives, Role.ADJUDICATOR), lives, form="factscore")
    assert refused.status_code == 422
    assert "lives holds several subjects: name one of amber, basalt." in refused.content.decode()
