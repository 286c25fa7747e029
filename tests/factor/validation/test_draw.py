"""Samples are random, repeatable, and of whole examples."""

import pytest

from factor.models import Completion, Validation
from factor.validation.exclude import exclude
from ratings.errors import DrawError
from tests.factor.validation.work import draw, make_benchmark
from tests.factories import make_dataset, make_person

pytestmark = pytest.mark.django_db


def drawn(validation):
    return list(validation.items.values_list("completion__example__position", "completion__place"))


def test_an_example_is_drawn_with_all_its_false_completions_and_they_stand_together():
    sample = drawn(draw(make_benchmark(make_dataset(), examples=8), size=3))
    examples = [example for example, _ in sample]
    assert sorted(sample) == [(example, place) for example in sorted(set(examples)) for place in (1, 2, 3)]
    assert examples == [example for first in examples[::3] for example in (first,) * 3]


def test_the_same_seed_draws_the_same_and_another_one_does_not():
    benchmark = make_benchmark(make_dataset(), examples=8)
    assert drawn(draw(benchmark, 3)) == drawn(draw(benchmark, 3))
    assert drawn(draw(benchmark, 3)) != drawn(draw(benchmark, 3, seed=8))


def test_what_is_left_out_or_has_no_false_completion_is_not_drawn():
    benchmark = make_benchmark(make_dataset(), examples=3)
    first, second, third = benchmark.examples.all()
    exclude(first, make_person("dora"), "It is true after all.")
    Completion.objects.false().filter(example=second).delete()
    assert {example for example, _ in drawn(draw(benchmark, 1))} == {third.position}


@pytest.mark.parametrize(
    ("size", "raters", "why"),
    [(3, 2, "draw 1 to 2 of the benchmark's examples, not 3"), (1, 21, "rated by 1 to 20 people, not 21")],
)
def test_what_cannot_be_drawn_says_why_and_leaves_nothing(size, raters, why):
    with pytest.raises(DrawError, match=why):
        draw(make_benchmark(make_dataset(), examples=2), size, raters)
    assert not Validation.objects.exists()


def test_a_benchmark_without_examples_has_nothing_to_draw():
    with pytest.raises(DrawError, match="no example with a false completion"):
        draw(make_benchmark(make_dataset(), examples=0), 1)
