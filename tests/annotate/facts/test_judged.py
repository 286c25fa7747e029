import pytest

from annotate.facts.judged import judged_addresses, judged_facts
from tests.factories import add_facts, make_dataset, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def response():
    return make_response(make_dataset(scheme="factscore"), segments=["Ada wrote.", "Ada sang."], subject="model")


def test_human_facts_are_judged_and_model_facts_where_there_are_none(response):
    human = add_facts(response, [["Ada wrote letters."], []])
    model = add_facts(response, [["Ada wrote."], ["Ada sang."]], origin="model")
    first, second = response.segments.all()

    assert judged_facts([response.pk]) == {first.pk: [human[0]], second.pk: [model[1]]}


def test_where_people_found_no_fact_none_is_judged(response):
    add_facts(response, [["Ada wrote."], ["Ada sang."]], origin="model")
    first, second = response.segments.all()
    second.extra = {"human_facts": "empty"}
    second.save()

    assert list(judged_facts([response.pk])) == [first.pk]


def test_a_sentence_that_is_not_relevant_keeps_its_model_facts(response):
    """They count as irrelevant, whether people wrote an empty list of facts or none.

    See docs/statistics.md, FActScore of a subject model.
    """
    add_facts(response, [["Ada wrote."], ["Ada sang."]], origin="model")
    first, second = response.segments.all()
    second.extra, second.relevant = {"human_facts": "empty"}, False
    second.save()

    assert list(judged_facts([response.pk])) == [first.pk, second.pk]
    assert list(judged_addresses(response.dataset)) == [first.pk, second.pk]
