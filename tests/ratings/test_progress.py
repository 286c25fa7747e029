"""Progress of the samples of every kind: numbers of all, and of each rater."""

import pytest

from annotate.models import User
from ratings.progress import progress_of, with_counts
from tests.factories import make_person
from tests.ratings.kinds import KINDS

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.parametrize("kind", [kind for name, kind in KINDS.items() if name != "open_ended"]),
]


def test_ratings_are_counted_for_all_and_for_each_rater(kind):
    item, ada = kind.make(kind.raters), make_person("ada")
    assert (progress_of(item.sample, User.get_username).rated, progress_of(item.sample, User.get_username).raters) == (
        0,
        [],
    )
    kind.rate(item, ada)
    progress = progress_of(item.sample, User.get_username)
    assert (progress.rated, progress.wanted) == (1, kind.raters)
    assert [(each.rater, each.rated, each.left) for each in progress.raters] == [(ada, 1, 0)]


def test_people_who_may_rate_are_listed_with_the_number_left(kind):
    item, (ada, ben) = kind.make(kind.raters), (make_person(name) for name in ("ada", "ben"))
    kind.rate(item, ada)
    left = [(each.rater, each.left) for each in progress_of(item.sample, User.get_username, {ada.pk, ben.pk}).raters]
    assert left == [(ada, 0), (ben, kind.raters - 1)]


def test_samples_are_listed_with_the_numbers_of_all_and_of_the_reader(kind):
    item, (ada, ben) = kind.make(kind.raters), (make_person(name) for name in ("ada", "ben"))
    kind.rate(item, ada)
    for reader, own in ((ada, 1), (ben, 0)):
        sample = vars(with_counts(type(item.sample).objects.all(), reader).get())
        assert (sample["item_count"], sample["rated"], sample["own"]) == (1, 1, own)
