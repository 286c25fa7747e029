"""Two evaluators over time: the order of arrival, the page, its chart and table, and the command."""

import csv
import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset
from evaluators.comparison.growing import running_comparison
from evaluators.comparison.study import study_of
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


def make_lab(prompts: int = 40) -> Dataset:
    """Ada finds the error of each response, Ben does not; gold came to the last response first."""
    dataset = make_dataset()
    responses = [make_response(dataset) for _ in range(prompts)]
    for response in reversed(responses):
        for segment, value in zip(response.segments.all(), ("not_supported", "supported"), strict=True):
            add_gold(segment, value)
    segments = [segment for response in responses for segment in response.segments.all()]
    add_run(dataset, {segment: "S" if segment.position else "N" for segment in segments}, "ada")
    add_run(dataset, dict.fromkeys(segments, "S"), "ben")
    return dataset


def running(dataset, one="ada", other="ben"):
    return running_comparison(study_of(dataset, None), one, other, "segment")


def test_it_says_from_which_prompt_on_zero_is_left_out():
    document = running(make_lab())
    at = document["excluded_at"]

    assert document["better"] == "ada"
    assert {point["mean"] for point in document["running"]} == {0.5}
    assert document["running"][at - 1]["low"] >= 0 > document["running"][at - 2]["low"]
    assert 5 < at < 40
    assert document["n"] == 80
    assert running(Dataset.objects.get(), "ben", "ada")["excluded_at"] == at
    assert running(Dataset.objects.get(), "ben", "ada")["better"] == "ada"


def test_prompts_come_in_the_order_of_their_gold_and_later_gold_changes_nothing_before():
    dataset = make_lab(3)
    extra = make_response(dataset)
    # Ben alone is right about the first prompt of the dataset, to which gold came last.
    first = dataset.responses.order_by("position").first()
    add_run(
        dataset,
        {
            segment: "S" if response == first or segment.position else "N"
            for response in dataset.responses.all()
            for segment in response.segments.all()
        },
        "cleo",
    )
    before = running(dataset, "ada", "cleo")["running"]
    assert [point["mean"] for point in before] == pytest.approx([0, 0, 0.5 / 3])
    for segment in extra.segments.all():
        add_gold(segment, "supported")
    after = running(dataset, "ada", "cleo")["running"]
    assert after[:3] == before
    assert len(after) == 4


def test_an_error_may_count_as_several_correct_units(rhea):
    """Ada alone finds the error of each prompt of two units: (5 · 1 + 0) / 6."""
    study = study_of(Dataset.objects.get(), None)
    weighted = running_comparison(study, "ada", "ben", "segment", 5)
    assert weighted["running"][0]["mean"] == pytest.approx(5 / 6)
    assert "+0.833" in read(rhea, address("?weight=5"))
    assert "+0.500" in read(rhea, address("?weight=much"))


def test_undecided_units_are_wrong():
    dataset = make_lab(2)
    add_run(dataset, {}, "silent")
    assert running(dataset, "ada", "silent")["running"][0]["mean"] == 1


@pytest.fixture
def rhea() -> Client:
    dataset = make_lab()
    client = Client()
    client.force_login(make_person("rhea", dataset, "researcher"))
    return client


def address(query="", name="growing", *more):
    return reverse(name, args=[Dataset.objects.get().pk, *more]) + query


def read(client, where):
    answer = client.get(where)
    assert answer.status_code == 200
    return squeezed(answer.content.decode())


def test_the_page_its_table_and_its_chart(rhea):
    text = read(rhea, address("?one=ben&other=ada"))
    assert "ada has the higher accuracy" in text
    assert "ben less ada" in text
    rows = list(csv.DictReader(io.StringIO(rhea.get(address("?table=growing&as=csv")).content.decode("utf-8-sig"))))
    assert [int(row["prompts"]) for row in rows] == list(range(1, 41))
    chart = rhea.get(address("", "growing-chart", "growing", "csv"))
    drawn = csv.DictReader(io.StringIO(chart.content.decode("utf-8-sig")))
    assert len(list(drawn)) == 40
    assert rhea.get(address("", "growing-chart", "none", "svg")).status_code == 404


def test_the_way_back_keeps_the_comparison(rhea):
    page = read(rhea, address("?one=ben&other=ada&weight=5&level=response&evaluator=ada&evaluator=ben"))
    text = page[: page.index("Columns of the LaTeX table")]  # its form keeps all of the link
    assert 'compare/?level=response&amp;evaluator=ada&amp;evaluator=ben">← Comparison' in text
    assert text.count('type="hidden" name="evaluator"') == 2
    assert '<input type="hidden" name="level" value="response">' in text
    assert 'type="hidden" name="one"' not in text


def test_a_pair_that_is_not_there_is_the_first(rhea):
    assert "ada less ben" in read(rhea, address("?one=nobody&other=ada"))
    assert "over time" in read(rhea, reverse("compare", args=[Dataset.objects.get().pk]))


def test_an_evaluator_chosen_twice_is_said(rhea):
    assert "ben is selected twice: ada replaces it once." in read(rhea, address("?one=ben&other=ben"))
    assert "selected twice" not in read(rhea, address("?one=ben&other=ada"))


def test_without_gold_or_two_evaluators_the_page_says_so():
    dataset = make_dataset("bare")
    client = Client()
    client.force_login(make_person("cleo", dataset, "researcher"))
    assert "No gold yet" in read(client, address())
    response = make_response(dataset)
    add_gold(response.segments.first(), "supported")
    assert "Fewer than two evaluators" in read(client, address())
    assert client.get(address("", "growing-chart", "growing", "svg")).status_code == 404


def run(*arguments):
    out = io.StringIO()
    call_command("running_comparison", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_prints_the_document_or_two_lines():
    document = running(make_lab())
    assert json.loads(run("lab", "ada", "ben", "--json"), parse_constant=pytest.fail) == document
    assert run("lab", "ada", "ben").splitlines()[1] == f"0 is left out from prompt {document['excluded_at']} on"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("ada", "nobody"), "nobody"),
        (("ada", "ada"), "Name two evaluators"),
        (("ada", "ben", "--error-weight", "0"), "must be 1 to 100"),
        (("ada", "ben", "--level", "fact"), "no level 'fact'"),
        (("ada", "ben", "--gold-version", "v9"), "v9"),
    ],
)
def test_the_command_refuses_with_a_reason(words, why):
    make_lab(2)
    with pytest.raises(CommandError, match=why):
        run("lab", *words)
