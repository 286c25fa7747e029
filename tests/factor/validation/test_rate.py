"""Rating one by one, blind, and no more often than wanted."""

import pytest

from annotate.one_by_one import FullError, WordError
from factor.models import CompletionRating
from factor.validation.rate import is_complete, items_left, last_rated, next_item, rate
from factor.validation.word import Word
from tests.factor.validation.work import FACTUAL, GOOD, draw, make_benchmark, rate_all
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def sample():
    return draw(make_benchmark(make_dataset(), examples=2))


def test_each_completion_comes_once_to_each_of_two_raters(sample):
    for name in ("ada", "ben"):
        assert not is_complete(sample)
        assert items_left(sample, make_person(name)).count() == 6
        rate_all(sample, make_person(name))
    assert is_complete(sample)
    assert CompletionRating.objects.count() == 12
    assert next_item(sample, make_person("cleo")) is None


def test_a_completion_that_was_filled_meanwhile_takes_no_more():
    sample = draw(make_benchmark(make_dataset(), false=1), raters=1)
    item = next_item(sample, make_person("ada"))
    rate(item, make_person("ben"), GOOD)
    with pytest.raises(FullError, match="Others have rated"):
        rate(item, make_person("ada"), GOOD)
    assert CompletionRating.objects.get().rater == make_person("ben")


def test_a_rater_may_change_the_last_word_until_the_sample_is_complete(sample):
    ada = make_person("ada")
    item = next_item(sample, ada)
    rate(item, ada, GOOD)
    assert last_rated(sample, ada) == item
    rate(item, ada, FACTUAL)
    assert CompletionRating.objects.get().non_factual is False
    for name in ("ada", "ben"):
        rate_all(sample, make_person(name))
    assert last_rated(sample, ada) is None
    with pytest.raises(WordError, match="All ratings are in"):
        rate(item, ada, GOOD)


@pytest.mark.parametrize(
    ("word", "why"),
    [
        (Word(True, None, True, "link"), "Answer all three"),
        (Word(True, True, True), "choose one of the five"),
        (Word(True, True, True, "spelling"), "choose one of the five"),
        (Word(False, True, True, "link"), "has no error type"),
        (Word(False, True, True, note="\x00"), "null character"),
        (Word(False, True, True, note="n" * 2001), "2,000 characters"),
    ],
)
def test_a_word_that_is_not_whole_is_refused(sample, word, why):
    ada = make_person("ada")
    with pytest.raises(WordError, match=why):
        rate(next_item(sample, ada), ada, word)
    assert not CompletionRating.objects.exists()
