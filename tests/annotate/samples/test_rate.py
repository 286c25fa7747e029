"""Rating one by one, blind, and no more often than wanted."""

import pytest

from annotate.models import ReferenceLink, SampleRating, Task
from ratings.errors import FullError, RatingError
from ratings.rate import rate
from tests.annotate.adjudication.work import make_task
from tests.annotate.samples.work import GOOD, next_item, rate_all, responses, sample_of
from tests.factories import add_gold, make_dataset, make_person, make_response

pytestmark = pytest.mark.django_db


@pytest.fixture
def dataset():
    return make_dataset()


def test_each_item_comes_once_to_each_rater_until_it_has_all(dataset):
    responses(dataset, 2)
    sample = sample_of(dataset, 2, raters=2)
    for name in ("ada", "ben"):
        assert not sample.is_complete()
        rate_all(sample, make_person(name), GOOD)
    assert sample.is_complete()
    assert SampleRating.objects.count() == 4
    assert next_item(sample, make_person("cleo"), "researcher") is None


def test_an_item_that_was_filled_meanwhile_takes_no_more(dataset):
    responses(dataset, 1)
    sample = sample_of(dataset, 1, raters=1)
    item = next_item(sample, make_person("ada"), "researcher")
    rate(item, make_person("ben"), GOOD)
    with pytest.raises(FullError, match="Others have rated"):
        rate(item, make_person("ada"), GOOD)
    assert SampleRating.objects.get().rater == make_person("ben")


def test_a_rater_may_change_the_last_word_until_the_sample_is_complete(dataset):
    responses(dataset, 2)
    sample, ada = sample_of(dataset, 2, raters=1), make_person("ada")
    first = next_item(sample, ada, "researcher")
    rate(first, ada, GOOD)
    assert sample.last_rated(ada) == first
    rate(first, ada, SampleRating(safe=False, valid=True, note="It threatens."))
    assert SampleRating.objects.get().note == "It threatens."
    rate_all(sample, ada, GOOD)
    assert sample.last_rated(ada) is None
    with pytest.raises(RatingError, match="All ratings are complete"):
        rate(first, ada, GOOD)


@pytest.mark.parametrize("word", [SampleRating(safe=True), SampleRating(valid=False), SampleRating(reliable=True)])
def test_both_questions_are_asked_of_a_response(dataset, word):
    responses(dataset, 1)
    sample, ada = sample_of(dataset, 1), make_person("ada")
    with pytest.raises(RatingError, match="Choose both"):
        rate(next_item(sample, ada, "researcher"), ada, word)


def test_an_annotator_rates_no_response_that_is_still_labelled(dataset):
    in_work, settled, free = make_response(dataset), make_response(dataset), make_response(dataset)
    make_task(in_work)
    task = make_task(settled)
    Task.objects.filter(pk=task.pk).update(closed_at=dataset.created_at)
    sample, ada = sample_of(dataset, 3), make_person("ada", dataset)
    rate_all(sample, ada, GOOD, role="annotator")
    assert set(SampleRating.objects.values_list("item__response", flat=True)) == {settled.pk, free.pk}


def test_a_reference_of_gold_is_no_hint_to_an_annotator(dataset):
    response = make_response(dataset)
    gold = add_gold(response.segments.first(), "supported")
    ReferenceLink.objects.create(gold=gold, url="https://gold.example", position=0)
    make_task(response)
    sample = sample_of(dataset, 1, kind="reliability")
    assert next_item(sample, make_person("ada", dataset), "annotator") is None
    assert next_item(sample, make_person("rhea"), "researcher") is not None
