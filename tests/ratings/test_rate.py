"""What holds for every kind of rating: once a person, never more than the item wants."""

import pytest
from django.db import IntegrityError, transaction

from ratings.errors import FullError
from tests.factories import make_person
from tests.ratings.kinds import KINDS

pytestmark = [pytest.mark.django_db, pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)]


def left(item, person):
    return type(item).objects.filter(pk=item.pk).left_for(person).exists()


def test_an_item_takes_as_many_ratings_as_it_wants(kind):
    item, people = kind.make(kind.raters), [make_person(name) for name in ("ada", "ben", "cleo")]
    for person in people[: kind.raters]:
        assert left(item, person)
        kind.rate(item, person)
    assert not left(item, people[-1])
    with pytest.raises(FullError):
        kind.rate(item, people[-1])
    assert item.ratings.count() == kind.raters


def test_a_person_who_has_rated_it_is_not_served_it_again(kind):
    item, ada = kind.make(kind.raters), make_person("ada")
    kind.rate(item, ada)
    assert not left(item, ada)


def test_the_database_keeps_one_rating_a_person(kind):
    item, ada = kind.make(kind.raters), make_person("ada")
    kind.rate(item, ada)
    again = item.ratings.get()
    again.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        again.save(force_insert=True)


def test_the_database_refuses_a_place_twice(kind):
    item = kind.make(1)
    if not hasattr(item, "sample_id"):
        pytest.skip("the texts of a pair are numbered by themselves")
    item.pk = None
    with pytest.raises(IntegrityError), transaction.atomic():
        item.save(force_insert=True)
