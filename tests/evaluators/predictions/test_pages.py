"""The page that takes in predictions made elsewhere."""

import csv
import json
from io import BytesIO, StringIO

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset
from evaluators.models import Evaluator, Prediction, Run
from evaluators.predictions.origin import Origin, origin_of
from evaluators.predictions.prices import describe_spending, prices_of
from evaluators.runs.covered import CoveredUnits
from evaluators.runs.listing import Spent
from evaluators.runs.manage import archive_run
from tests.factories import add_facts, make_dataset, make_person, make_response
from tests.pages import squeezed

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


def send(
    client: Client,
    dataset: Dataset,
    *rows: object,
    evaluator: str = "theirs",
    name: str = "said.jsonl",
    content: bytes = b"",
    **origin: str,
) -> str:
    content = content or "".join(json.dumps(each) + "\n" for each in rows).encode()
    form = {"evaluator": evaluator, "file": SimpleUploadedFile(name, content), **origin}
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


# Where they come from

ORIGIN = {
    "model": "gpt-4o",
    "cost_usd": "1.25",
    "made_on": "2026-03-01",
    "link": "https://example.org/code",
    "paper": "Min et al. (2023)",
}


def page_of(client: Client, run: Run) -> str:
    return squeezed(client.get(reverse("run", args=[run.pk])).content.decode())


def test_model_price_date_link_and_paper_are_kept_and_shown(dataset, rhea):
    send(rhea, dataset, row(), **ORIGIN)
    run = Run.objects.get()
    text = page_of(rhea, run)
    assert run.evaluator.model == "gpt-4o"
    for shown in ("gpt-4o", "$1.25", "2026-03-01", 'href="https://example.org/code"', "Min et al. (2023)"):
        assert shown in text
    assert prices_of([run]) == {run.pk: Spent(0, 1.25)}
    told = {"tokens": None, "cost_usd": 1.25, "known_usd": 1.25, "unpriced": [], "seconds": None}
    assert describe_spending([run])[run.pk] == told


def test_without_a_price_none_is_known(dataset, rhea):
    send(rhea, dataset, row())
    run = Run.objects.get()
    assert prices_of([run])[run.pk].cost_usd is None
    assert "Where the predictions come from" not in page_of(rhea, run)


def test_a_later_file_keeps_what_it_does_not_say(dataset, rhea):
    send(rhea, dataset, row(), **ORIGIN)
    send(rhea, dataset, row(segment=1), cost_usd="2")
    origin = origin_of(Run.objects.get())
    assert (origin.model, origin.cost_usd, origin.paper) == ("gpt-4o", 2.0, "Min et al. (2023)")


def test_another_model_under_the_name_is_refused_and_nothing_is_kept(dataset, rhea):
    send(rhea, dataset, row(), model="one")
    assert "exists with another model (one, not two)" in send(rhea, dataset, row(segment=1), model="two")
    assert Prediction.objects.count() == 1


@pytest.mark.parametrize(
    ("field", "value"), [("link", "javascript:alert(1)"), ("made_on", "yesterday"), ("cost_usd", "-1")]
)
def test_an_origin_that_cannot_be_is_refused(dataset, rhea, field, value):
    send(rhea, dataset, row(), **{field: value})
    assert not Run.objects.exists()


def test_the_origin_is_corrected_on_the_page_of_the_run(dataset, rhea):
    send(rhea, dataset, row(), **ORIGIN)
    run = Run.objects.get()
    form = {"name": "theirs", "model": "gpt-4.1", "paper": "10.1000/1"}
    rhea.post(reverse("run-describe", args=[run.pk]), form)
    run = Run.objects.get()
    assert origin_of(run) == Origin(model="gpt-4.1", paper="10.1000/1")


def test_the_command_takes_it_too(dataset, tmp_path):
    path = tmp_path / "said.jsonl"
    path.write_text(json.dumps(row()) + "\n")
    said = StringIO()
    call_command(
        "import_predictions",
        dataset.name,
        str(path),
        evaluator="theirs",
        model="m",
        cost=0.5,
        date="2026-01-31",
        stdout=said,
    )
    assert origin_of(Run.objects.get()) == Origin("m", 0.5, "2026-01-31")
    assert "The run covers 1 of 2 units." in said.getvalue()
    with pytest.raises(CommandError, match="write it as 2026-01-31"):
        call_command("import_predictions", dataset.name, str(path), evaluator="theirs", date="31.1.2026")


def test_nothing_is_added_to_an_archived_run(dataset, rhea):
    send(rhea, dataset, row())
    archive_run(Run.objects.get())
    assert "bring it back first" in send(rhea, dataset, row(segment=1))
    assert Prediction.objects.count() == 1


# The template, and work in part


def template(client: Client, dataset: Dataset, form: str) -> str:
    answer = client.get(reverse("predictions-template", args=[dataset.pk, form]))
    assert answer.headers["Content-Disposition"] == f'attachment; filename="units-{dataset.pk}.{form}"'
    return b"".join(answer.streaming_content).decode("utf-8-sig")


def test_the_template_has_every_unit_open(dataset, rhea):
    lines = list(csv.DictReader(StringIO(template(rhea, dataset, "csv"))))
    assert [(line["index"], line["segment"], line["fact"], line["text"], line["value"]) for line in lines] == [
        ("1", "0", "", "One is odd.", "open"),
        ("1", "1", "", "Two is odd.", "open"),
    ]
    rows = [json.loads(line) for line in template(rhea, dataset, "jsonl").splitlines()]
    assert [(each["index"], each["segment"], each["fact"], each["value"]) for each in rows] == [
        ("1", 0, None, "open"),
        ("1", 1, None, "open"),
    ]


def test_the_template_of_facts_has_every_judged_fact(rhea):
    lives = make_dataset("lives", "factscore")
    make_person("rhea", lives, "researcher")
    add_facts(make_response(lives, ["=1+1 flew."], subject="amber", prompt="Ada"), [["=1+1 is a fact.", "She flew."]])
    rows = [json.loads(line) for line in template(rhea, lives, "jsonl").splitlines()]
    assert [(each["fact"], each["text"]) for each in rows] == [(0, "=1+1 is a fact."), (1, "She flew.")]
    filled = template(rhea, lives, "csv").replace("open", "supported")
    assert "2 predictions imported" in send(rhea, lives, content=filled.encode(), name="filled.csv")


def test_what_is_still_open_is_left_out_and_said(dataset, rhea):
    filled = template(rhea, dataset, "csv").replace("open", "not_supported", 1)
    text = send(rhea, dataset, content=filled.encode(), name="filled.csv")
    assert "1 prediction imported, 0 were there already, 1 row is open. The run covers 1 of 2 units." in text
    assert Prediction.objects.get().value == "not_supported"
    run = Run.objects.get()
    assert "1 of 2 units" in page_of(rhea, run)
    assert "1 of 2 units" in rhea.get(reverse("runs", args=[dataset.pk])).content.decode()


def test_a_template_that_nobody_filled_in_is_refused(dataset, rhea):
    text = send(rhea, dataset, content=template(rhea, dataset, "jsonl").encode(), name="units.jsonl")
    assert "every row is open" in text
    assert not Evaluator.objects.exists()


def test_parquet_is_taken(dataset, rhea):
    buffer = BytesIO()
    table = pa.table({"index": ["1", "1"], "segment": [0, 1], "value": ["supported", "open"]})
    pq.write_table(table, buffer)
    assert "1 prediction imported" in send(rhea, dataset, content=buffer.getvalue(), name="said.parquet")


def test_another_form_of_the_template_is_not_there(dataset, rhea):
    assert rhea.get(reverse("predictions-template", args=[dataset.pk, "xml"])).status_code == 404


def test_thousands_are_set_apart():
    assert str(CoveredUnits(40, 4426)) == "40 of 4,426 units"
