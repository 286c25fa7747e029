"""The units behind a figure: which, in which order, and what is shown of each."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotate.models import Dataset, ReferenceLink, Response, Segment
from evaluators.models import Prediction
from evaluators.runs.manage import delete_run
from llm.models import Call, Endpoint
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset() -> Dataset:
    """Three responses; the first segment of each is an error."""
    dataset = make_dataset()
    for domain in ("science", "science", "math"):
        first, second = make_response(dataset, domain=domain).segments.all()
        add_gold(first, "not_supported")
        add_gold(second, "supported")
    return dataset


@pytest.fixture
def judges(dataset):
    """Both miss the error of the last response; Ben that of the second as well, and he is not sure of it."""
    one, two, three = (response.segments.all()[0] for response in dataset.responses.order_by("position"))
    add_run(dataset, {one: "N", two: "N", three: "S"}, "ada", "imported")
    run = add_run(dataset, {one: "?", two: "S", three: "S"}, "ben", "imported")
    run.predictions.filter(segment=two).update(score=0.6)
    run.predictions.filter(segment=three).update(score=0.9)
    return run


@pytest.fixture
def rhea(dataset) -> Client:
    client = Client()
    client.force_login(make_person("rhea", dataset, "researcher"))
    return client


def read(client: Client, dataset: Dataset, query: str) -> str:
    answer = client.get(reverse("compare-units", args=[dataset.pk]) + query)
    assert answer.status_code == 200
    return squeezed(answer.content.decode())


def responses(text: str) -> list[str]:
    """The responses of the units shown, from the top."""
    return re.findall(r'<h2><a href="[^"]+">([^<]+)</a>', text)


def indexes(dataset: Dataset) -> list[str]:
    return list(dataset.responses.order_by("position").values_list("index", flat=True))


def test_a_cell_holds_the_units_of_its_evaluator(dataset, judges, rhea):
    text = read(rhea, dataset, "?of=ben&truth=error&said=correct")

    assert responses(text) == indexes(dataset)[1:]
    assert "ben: predicted correct, error in gold" in text


@pytest.mark.parametrize(("said", "places"), [("unparsed", [0]), ("missing", [])])
def test_what_could_not_be_read_has_a_cell_of_its_own(dataset, judges, rhea, said, places):
    found = responses(read(rhea, dataset, f"?of=ben&truth=error&said={said}"))

    assert found == [indexes(dataset)[place] for place in places]


def test_units_that_most_got_wrong_come_first(dataset, judges, rhea):
    one, two, three = indexes(dataset)

    assert responses(read(rhea, dataset, "?truth=error&sort=wrong")) == [three, two, one]


def test_the_surest_mistakes_come_first(dataset, judges, rhea):
    _, two, three = indexes(dataset)

    assert responses(read(rhea, dataset, "?of=ben&truth=error&said=correct&sort=sure")) == [three, two]


def test_units_are_narrowed_by_domain_and_by_words(dataset, judges, rhea):
    _, two, three = indexes(dataset)

    assert responses(read(rhea, dataset, "?truth=error&domain=math")) == [three]
    assert responses(read(rhea, dataset, f"?truth=error&q={two}")) == [two]
    assert "No matching units" in read(rhea, dataset, "?q=nowhere-to-be-found")


def test_gold_reason_reference_score_and_raw_answer_stand_side_by_side(dataset, judges, rhea):
    segment = dataset.responses.order_by("position")[1].segments.first()
    label = segment.gold.get()
    label.reason = "It is the other way round."
    label.save()
    ReferenceLink.objects.create(gold=label, position=0, url="https://example.org/gold")
    said = Prediction.objects.get(run=judges, segment=segment)
    said.rationale = "It sounds right."
    said.save()
    endpoint = Endpoint.objects.create(shared=True, name="lab", base_url="http://localhost:1/v1")
    call = {"endpoint": endpoint, "request_hash": "a" * 64, "model": "m", "request": {}, "seconds": 1}
    said.calls.add(Call.objects.create(**call, answer="No errors."))
    text = read(rhea, dataset, "?of=ben&truth=error&said=correct")

    for shown in ("It is the other way round.", "https://example.org/gold", "It sounds right.", "0.600", "No errors."):
        assert shown in text
    assert f"<mark>{segment.text}</mark>" in text


def test_what_somebody_wrote_is_no_markup(dataset, judges, rhea):
    judges.predictions.update(rationale="<script>alert('x')</script>")

    assert "<script>alert" not in read(rhea, dataset, "")


def test_a_fact_is_shown_in_its_sentence(rhea):
    lives = make_dataset("lives", scheme="factscore")
    make_person("rhea", lives, "researcher")
    response = make_response(lives, ("She was born and flew.",), subject="amber")
    true, wrong = add_facts(response, [("she was born", "she flew")])
    add_gold(true, "supported")
    add_gold(wrong, "not_supported")
    add_run(lives, {true: "S", wrong: "S"}, "ada", "imported")
    text = read(rhea, lives, "?of=ada&truth=error&said=correct")

    assert "she flew" in text
    assert "she was born" not in text
    assert "she was born" in read(rhea, lives, "?level=segment&of=ada")


@pytest.mark.parametrize(
    ("query", "gone"),
    [
        ("?of=nobody&truth=error&said=correct", "the evaluator “nobody”"),
        ("?of=ben&truth=error&at=nowhere", "the slice “nowhere”"),
        ("?evaluator=ada&evaluator=nobody&truth=error", "the evaluator “nobody”"),
    ],
)
def test_a_saved_link_says_what_is_gone_and_shows_the_rest(dataset, judges, rhea, query, gone):
    text = read(rhea, dataset, query)

    assert f"This link names {gone}, which is not here any more" in text
    assert responses(text) == indexes(dataset)


def test_a_link_whose_evaluator_was_deleted_still_works(dataset, judges, rhea):
    delete_run(judges)
    text = read(rhea, dataset, "?evaluator=ada&evaluator=ben&of=ben&truth=error&said=correct")

    assert "the evaluator “ben”" in text
    assert responses(text) == indexes(dataset)
    answer = rhea.get(reverse("compare", args=[dataset.pk]) + "?evaluator=ada&evaluator=ben&open=ben")
    assert "the evaluator “ben”, which is not here any more" in squeezed(answer.content.decode())


def test_a_link_that_names_what_is_there_says_nothing(dataset, judges, rhea):
    assert "any more" not in read(rhea, dataset, "?evaluator=ada&of=ben&truth=error&said=correct&at=science")


def test_the_verdict_comes_first_and_the_text_is_short_around_the_unit(dataset, judges, rhea):
    Segment.objects.filter(response__position=1, position=1).update(text="x" * 500)
    Response.objects.filter(position=1).update(text="One is odd. " + "x" * 500)
    text = read(rhea, dataset, "?of=ben&truth=error&said=correct")
    line = re.search(r"<summary>(.*?)</summary>", text)[1]

    # Gold, Ben who missed it, and of the two evaluators one wrong.
    assert re.findall(r'class="verdict (\w+)"', line) == ["not_supported", "supported"]
    assert "1 of 2 wrong" in line
    assert line.index("verdict") < line.index("<mark>One is odd.</mark>")
    assert "x" * 79 in line
    assert "x" * 81 not in line


def test_the_queries_do_not_grow_with_the_units(dataset, judges, rhea, django_assert_max_num_queries):
    rhea.get(reverse("account"))  # the number in the navigation is counted once a minute
    with django_assert_max_num_queries(35):
        read(rhea, dataset, "?level=response&sort=wrong")
