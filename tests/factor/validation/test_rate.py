"""Rating one by one, blind, and no more often than wanted."""

import pytest

from factor.models import CompletionRating
from ratings.errors import FullError, RatingError
from ratings.rate import rate
from tests.factor.validation.work import FACTUAL, GOOD, draw, make_benchmark, rate_all, verdict
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def sample():
    return draw(make_benchmark(make_dataset(), examples=2))


def test_each_completion_comes_once_to_each_of_two_raters(sample):
    for name in ("ada", "ben"):
        assert not sample.is_complete()
        assert sample.items.left_for(make_person(name)).count() == 6
        rate_all(sample, make_person(name))
    assert sample.is_complete()
    assert CompletionRating.objects.count() == 12
    assert sample.next_item(make_person("cleo")) is None


def test_a_completion_that_was_filled_meanwhile_takes_no_more():
    sample = draw(make_benchmark(make_dataset(), false=1), raters=1)
    item = sample.next_item(make_person("ada"))
    rate(item, make_person("ben"), GOOD)
    with pytest.raises(FullError, match="Others have rated"):
        rate(item, make_person("ada"), GOOD)
    assert CompletionRating.objects.get().rater == make_person("ben")


def test_a_rater_may_change_the_last_word_until_the_sample_is_complete(sample):
    ada = make_person("ada")
    item = sample.next_item(ada)
    rate(item, ada, GOOD)
    assert sample.last_rated(ada) == item
    rate(item, ada, FACTUAL)
    assert CompletionRating.objects.get().non_factual is False
    for name in ("ada", "ben"):
        rate_all(sample, make_person(name))
    assert sample.last_rated(ada) is None
    with pytest.raises(RatingError, match="All ratings are complete"):
        rate(item, ada, GOOD)


@pytest.mark.parametrize(
    ("word", "why"),
    [
        (verdict(True, None, True, "link"), "Answer all three"),
        (verdict(True, True, True), "choose one of the five"),
        (verdict(True, True, True, "spelling"), "choose one of the five"),
        (verdict(False, True, True, "link"), "has no error type"),
        (verdict(False, True, True, note="\x00"), "null character"),
        (verdict(False, True, True, note="n" * 2001), "2,000 characters"),
    ],
)
def test_a_word_that_is_not_whole_is_refused(sample, word, why):
    ada = make_person("ada")
    with pytest.raises(RatingError, match=why):
        rate(sample.next_item(ada), ada, word)
    assert not CompletionRating.objects.exists()
