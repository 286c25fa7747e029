"""Labelling one by one, by whoever comes."""

import pytest

from annotate.one_by_one import FullError, WordError
from factor.thresholds.draw import draw_sample
from factor.thresholds.label import Said, is_complete, label, last_labelled, next_item
from tests.factor.thresholds.work import make_build
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db
YES = Said(contradictory=True, sound=True)


@pytest.fixture
def sample():
    return draw_sample(make_build(make_dataset()), 2, 7, None)


def test_each_candidate_is_labelled_by_one_person(sample):
    ada, ben = make_person("ada"), make_person("ben")
    label(next_item(sample, ada), ada, YES)
    assert not is_complete(sample)
    label(next_item(sample, ben), ben, YES)
    assert next_item(sample, ada) is None
    assert is_complete(sample)


def test_whoever_comes_second_is_told_and_changes_nothing(sample):
    item = next_item(sample, make_person("ben"))
    label(item, make_person("ada"), YES)
    with pytest.raises(FullError, match="Somebody else"):
        label(item, make_person("ben"), Said(contradictory=False, sound=False))
    item.refresh_from_db()
    assert (item.contradictory, item.labelled_by.username) == (True, "ada")


def test_ones_own_label_can_be_changed_until_all_are_in(sample):
    ada = make_person("ada")
    item = next_item(sample, ada)
    label(item, ada, YES)
    assert last_labelled(sample, ada) == item
    label(item, ada, Said(contradictory=False, sound=True))
    item.refresh_from_db()
    assert item.contradictory is False
    label(next_item(sample, ada), ada, YES)
    assert last_labelled(sample, ada) is None
    with pytest.raises(WordError, match="results have been shown"):
        label(item, ada, YES)


def test_both_questions_want_an_answer(sample):
    with pytest.raises(WordError, match="Answer both"):
        label(sample.items.first(), make_person("ada"), Said(contradictory=True))


def test_people_begin_at_places_of_their_own():
    sample = draw_sample(make_build(make_dataset()), 10, 7, None)
    people = [make_person(name) for name in ("ada", "ben", "cleo", "dan", "eve", "fay")]
    assert len({next_item(sample, person).pk for person in people}) > 1
    assert next_item(sample, people[0]) == next_item(sample, people[0])
