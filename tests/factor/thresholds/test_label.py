"""Labelling one by one, by whoever comes."""

import pytest

from factor.models import ThresholdLabel
from factor.thresholds.draw import draw_sample
from ratings.errors import FullError, RatingError
from ratings.rate import rate
from tests.factor.thresholds.work import make_build
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db
YES = ThresholdLabel(contradictory=True, sound=True)


@pytest.fixture
def sample():
    return draw_sample(make_build(make_dataset()), 2, 7, None)


def test_each_candidate_is_labelled_by_one_person(sample):
    ada, ben = make_person("ada"), make_person("ben")
    rate(sample.next_item(ada), ada, YES)
    assert not sample.is_complete()
    rate(sample.next_item(ben), ben, YES)
    assert sample.next_item(ada) is None
    assert sample.is_complete()


def test_whoever_comes_second_is_told_and_changes_nothing(sample):
    item = sample.next_item(make_person("ben"))
    rate(item, make_person("ada"), YES)
    with pytest.raises(FullError, match="Somebody else"):
        rate(item, make_person("ben"), ThresholdLabel(contradictory=False, sound=False))
    assert (item.label.contradictory, item.label.rater.username) == (True, "ada")


def test_ones_own_label_can_be_changed_until_all_are_in(sample):
    ada = make_person("ada")
    item = sample.next_item(ada)
    rate(item, ada, YES)
    assert sample.last_rated(ada) == item
    rate(item, ada, ThresholdLabel(contradictory=False, sound=True))
    assert item.label.contradictory is False
    rate(sample.next_item(ada), ada, YES)
    assert sample.last_rated(ada) is None
    with pytest.raises(RatingError, match="results have been shown"):
        rate(item, ada, YES)


def test_both_questions_want_an_answer(sample):
    with pytest.raises(RatingError, match="Answer both"):
        rate(sample.items.first(), make_person("ada"), ThresholdLabel(contradictory=True))


def test_people_begin_at_places_of_their_own():
    sample = draw_sample(make_build(make_dataset()), 10, 7, None)
    people = [make_person(name) for name in ("ada", "ben", "cleo", "dan", "eve", "fay")]
    assert len({sample.next_item(person).pk for person in people}) > 1
    assert sample.next_item(people[0]) == sample.next_item(people[0])
