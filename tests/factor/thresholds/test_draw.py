"""Which candidates are drawn to be labelled."""

from collections import Counter

import pytest

from factor.models import Candidate, ThresholdSample
from factor.thresholds.draw import draw_sample
from ratings.draw import allocate
from ratings.errors import DrawError
from tests.factor.thresholds.work import FIGURES, make_build
from tests.factories import make_dataset


def test_each_kind_gets_its_share_and_the_largest_remainders_what_rounding_leaves():
    # Of 7 from 10: entity 3.5, link 2.8, predicate 0.7.
    assert allocate({"entity": 5, "predicate": 1, "link": 4}, 7) == {"entity": 3, "predicate": 1, "link": 3}


def test_of_equal_remainders_the_first_in_the_alphabet():
    assert allocate({"predicate": 1, "entity": 1}, 1) == {"predicate": 0, "entity": 1}


@pytest.mark.django_db
def test_a_sample_has_each_error_type_in_its_share_and_the_same_seed_draws_the_same():
    build = make_build(make_dataset())
    first, again, other = (draw_sample(build, 5, seed, None) for seed in (7, 7, 8))
    drawn, same, another = (list(each.items.values_list("candidate_id", flat=True)) for each in (first, again, other))
    assert drawn == same != another
    types = Counter(first.items.values_list("candidate__error_type", flat=True))
    assert set(types.values()) == {1}


@pytest.mark.django_db
def test_of_one_sentence_only_one_is_drawn_while_there_are_others():
    build = make_build(make_dataset(), [(0.9, None, "entity")] * 3)
    first, second, third = Candidate.objects.order_by("pk")
    Candidate.objects.filter(pk=second.pk).update(item=first.item, position=1)
    for seed in range(8):
        sample = draw_sample(build, 2, seed, None)
        assert set(sample.items.values_list("candidate__item", flat=True)) == {first.item_id, third.item_id}
    assert draw_sample(build, 3, 7, None).items.count() == 3


@pytest.mark.django_db
def test_what_no_filter_has_measured_is_not_drawn():
    build = make_build(make_dataset(), [*FIGURES[:2], (None, None, "entity")])
    with pytest.raises(DrawError, match="draw 1 to 2 of the measured candidates, not 3"):
        draw_sample(build, 3, 7, None)
    assert not ThresholdSample.objects.exists()


@pytest.mark.django_db
def test_a_making_that_measured_nothing_says_so():
    with pytest.raises(DrawError, match="no candidate has been measured"):
        draw_sample(make_build(make_dataset(), []), 1, 7, None)
