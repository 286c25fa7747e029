"""The flat table of units with every evaluator's predictions."""

from io import BytesIO

import pyarrow.parquet as pq
import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from annotate.models import Role
from tests.evaluators.bundle.lab import add_outside_run, add_own_run, make_lab
from tests.factories import make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset(tmp_path):
    dataset = make_lab(tmp_path)
    add_outside_run(dataset, tmp_path)
    add_own_run(dataset)
    return dataset


def table_of(folder, *options: str) -> list[dict]:
    path = folder / "units.parquet"
    call_command("export_results", "numbers", "--output", str(path), "--table", *options)
    return pq.read_table(path).to_pylist()


def test_a_row_a_unit_with_gold_and_each_evaluators_prediction(dataset, tmp_path) -> None:
    rows = table_of(tmp_path)
    assert [(row["index"], row["segment"]) for row in rows] == [(f"r{n}", s) for n in range(6) for s in range(2)]
    assert rows[3] == {
        "index": "r1",
        "segment": 1,
        "fact": None,
        "domain": "math",
        "topic": None,
        "subject": None,
        "prompt": "Which of 1 are odd?",
        "response": "One is odd. Two is odd.",
        "text": "Two is odd.",
        "gold": "not_supported",
        "error_type": "knowledge",
        "counter: prediction": "not_supported",
        "counter: score": None,
        "judge · tiny: prediction": "not_supported",
        "judge · tiny: score": None,
    }
    assert rows[2]["counter: score"] == pytest.approx(0.1 + 1 / 7)


def test_what_was_not_parsed_is_not_what_is_missing(dataset, tmp_path) -> None:
    rows = {(row["index"], row["segment"]): row["counter: prediction"] for row in table_of(tmp_path)}
    assert (rows["r3", 1], rows["r5", 0]) == ("not_parsed", None)


def test_only_the_named_evaluators_have_columns(dataset, tmp_path) -> None:
    [row, *_] = table_of(tmp_path, "--evaluator", "counter")
    assert [name for name in row if name.endswith("prediction")] == ["counter: prediction"]


def test_an_unknown_evaluator_is_an_error(dataset, tmp_path) -> None:
    with pytest.raises(CommandError, match="no finished run of an evaluator 'nobody'"):
        table_of(tmp_path, "--evaluator", "nobody")


def test_the_page_offers_it(client, dataset) -> None:
    client.force_login(make_person("rhea", dataset, Role.RESEARCHER))
    assert b"Export table of units (Parquet)" in client.get(reverse("bundle", args=[dataset.pk])).content
    answer = client.post(reverse("bundle-file", args=[dataset.pk]), {"evaluator": "counter", "table": "units"})
    assert answer["Content-Disposition"].endswith('"results-numbers.parquet"')
    assert pq.read_table(BytesIO(b"".join(answer.streaming_content))).num_rows == 12
