"""The verdicts of all evaluators on one response."""

import re

import pytest
from django.urls import reverse

from evaluators.predictions.read import latest_runs
from evaluators.response_verdicts.views import verdicts_on
from tests.evaluators.comparison.rows import add_run
from tests.factories import add_facts, add_gold, make_dataset, make_person, make_response
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


def read(client, response):
    answer = client.get(reverse("response-verdicts", args=[response.pk]))
    assert answer.status_code == 200
    return squeezed(answer.content.decode())


def test_evaluators_are_grouped_by_their_verdict_beside_gold(dataset, ada, ben, rhea):
    response = dataset.responses.order_by("position")[1]
    wrong, right = verdicts_on(response, latest_runs(dataset))
    assert (wrong.gold, right.gold) == ("not_supported", "supported")
    assert {same.value: same.contradicts for same in wrong.verdicts} == {"not_supported": False, None: None}
    assert {same.value: [run.evaluator.name for run, _ in same.said] for same in right.verdicts} == {
        "supported": ["ada", "ben"]
    }
    ada.predictions.filter(segment=wrong.segment).update(rationale="Because <b>.")
    text = read(rhea, response)
    assert "Because &lt;b&gt;." in text
    assert f'href="{reverse("run", args=[ben.pk])}">ben</a>' in text
    assert "× 2" in text


def test_an_evaluator_without_a_prediction_is_named(dataset, ada, ben, rhea):
    response = dataset.responses.order_by("position")[2]
    assert [run.evaluator.name for run in verdicts_on(response, latest_runs(dataset))[1].silent] == ["ben"]
    assert "No prediction: ben." in read(rhea, response)


def test_a_fact_of_an_irrelevant_sentence_has_its_gold(rhea):
    lives = make_dataset("lives", "factscore")
    make_person("rhea", lives, "researcher")
    response = make_response(lives, ["Ada wrote."], prompt="Ada", subject="amber")
    (fact,) = add_facts(response, [["Ada wrote."]])
    add_gold(fact.segment, "irrelevant")
    add_run(lives, {fact: "S"})
    *_, unit = verdicts_on(response, latest_runs(lives))
    assert (unit.text, unit.gold, unit.verdicts[0].contradicts) == ("Ada wrote.", "irrelevant", True)


def test_the_page_of_a_response_leads_to_them(dataset, ada, rhea):
    response = dataset.responses.first()
    text = rhea.get(reverse("response", args=[response.pk])).content.decode()
    assert text.count(reverse("response-verdicts", args=[response.pk])) == 2


def test_trivial_baselines_are_left_out(dataset, rhea):
    response = dataset.responses.first()
    add_run(dataset, dict.fromkeys(response.segments.all(), "S"), "yes", "always-supported")
    assert "No finished run yet" in read(rhea, response)


def test_without_runs_the_page_says_what_to_do(dataset, rhea):
    assert "No finished run yet" in read(rhea, dataset.responses.first())


def test_more_evaluators_are_no_more_queries(dataset, ada, rhea, django_assert_max_num_queries):
    response = dataset.responses.first()
    rhea.get(reverse("account"))
    with django_assert_max_num_queries(30) as few:
        read(rhea, response)
    for name in "cdef":
        add_run(dataset, dict.fromkeys(response.segments.all(), "S"), name)
    with django_assert_max_num_queries(len(few)):
        assert len(re.findall("<dt>", read(rhea, response))) == 10
