"""Which pairs are right, which wrong (FACTOR eq. 2), and what is drawn of them."""

import pytest

from factor.models import Completion, OpenEndedStudy, ScoredModel
from factor.open_ended.facts import write_fact
from factor.open_ended.pairs import pairs_of
from factor.open_ended.start import Design, start
from jobs.errors import StartError
from jobs.limits import Limits
from tests.factor.open_ended.work import make_benchmark, make_scoring, make_study
from tests.factories import make_person

pytestmark = pytest.mark.django_db


def places(pairs):
    """Of primary keys: example and place."""
    found = Completion.objects.select_related("example").in_bulk(pairs)
    return [(found[key].example.position, found[key].place) for key in pairs]


def test_a_pair_is_right_only_where_the_true_completion_is_strictly_likelier():
    scoring = make_scoring(make_benchmark(3), (-2, -3, -1), (-2, -2, None), (None, -3, -3))

    pairs = pairs_of(scoring)

    assert places(pairs.right) == [(0, 1)]
    assert places(pairs.wrong) == [(0, 2), (1, 1)]  # the second is a tie
    assert places(pairs.unscored) == [(1, 2), (2, 1), (2, 2)]


def test_pairs_of_which_nothing_was_heard_have_no_score():
    scoring = make_scoring(make_benchmark(2), (-2, -3, -1), (-2, -3, -1))
    scoring.scores.filter(completion__example__position=1).delete()  # as where an example failed, or was not asked

    pairs = pairs_of(scoring)

    # Four pairs, one right and one wrong.
    assert places(pairs.unscored) == [(1, 1), (1, 2)]
    assert make_study(scoring).unscored_pairs == 2


def test_means_are_compared_not_sums():
    scoring = make_scoring(make_benchmark(1), (-2, -2.1, -1))
    scoring.scores.filter(completion__place=0).update(total=-8, count=4)

    # The true one: -8 of four tokens; the first false one: -4.2 of two.
    assert places(pairs_of(scoring).right) == [(0, 1)]


def test_examples_that_figures_leave_out_bring_no_pair():
    benchmark = make_benchmark()
    scoring = make_scoring(benchmark, (-2, -3, -1), (-2, -3, -1))
    benchmark.examples.get(position=0).exclusions.create(reason="A list.", excluded_by=make_person("dora"))

    assert places(pairs_of(scoring).right) == [(1, 1)]


def test_so_many_of_each_group_are_drawn_and_the_benchmark_is_counted():
    means = [(-2, -3, -1)] * 20
    study = make_study(make_scoring(make_benchmark(20), *means), per_group=5, generations=3)

    assert sorted(study.pairs.values_list("right", flat=True)) == [False] * 5 + [True] * 5
    assert (study.right_pairs, study.wrong_pairs, study.unscored_pairs) == (20, 20, 0)
    assert {pair.generations.count() for pair in study.pairs.all()} == {3}


def test_the_seed_decides_and_the_order_does_not_tell_the_group():
    scoring = make_scoring(make_benchmark(20), *[(-2, -3, -1)] * 20)

    one, same, other = (make_study(scoring, facts=False, seed=seed, per_group=8) for seed in (1, 1, 2))

    drawn = [list(each.pairs.values_list("completion", "right")) for each in (one, same, other)]
    assert drawn[0] == drawn[1] != drawn[2]
    in_order = [right for _, right in drawn[0]]
    assert in_order not in (sorted(in_order), sorted(in_order, reverse=True))


def test_a_small_group_is_drawn_whole():
    study = make_study(per_group=100)

    assert study.pairs.filter(right=True).count() == 2


def test_what_both_completions_begin_with_is_kept_in_whole_words():
    study = make_study()

    of_place = dict(study.pairs.values_list("completion__place", "common"))
    assert of_place == {1: " Maria painted in", 2: " Maria"}


def test_a_fact_that_another_study_has_of_the_pair_comes_with_it():
    first = make_study(facts=False)
    pair = first.pairs.first()
    write_fact(pair, make_person("dora"), "Maria painted.")

    again = make_study(first.scoring, facts=False, seed=8)

    assert again.pairs.get(completion=pair.completion).fact == "Maria painted."
    assert again.pairs.exclude(completion=pair.completion).filter(written_at__isnull=False).count() == 0


@pytest.mark.parametrize(
    ("design", "why"),
    [
        ({"per_group": 0}, "1 or more pairs of each group, not 0"),
        ({"generations": 99}, "1 to 20 texts for each pair, not 99"),
        ({"raters": 3}, "1 to 2 people"),
        ({"temperature": float("nan")}, "temperature must be"),
        ({"temperature": 0.0}, "all texts of a pair are the same"),
    ],
)
def test_a_design_that_cannot_be(design, why):
    scoring = make_scoring(make_benchmark(), (-2, -3, -1), (-2, -3, -1))

    with pytest.raises(StartError, match=why):
        start(scoring, scoring.model.endpoint, "tiny", Design(seed=1, **design))
    assert not OpenEndedStudy.objects.exists()


@pytest.mark.parametrize(
    ("fields", "why"),
    [({"with_prefix": False}, "has no prefixes or has retrieval"), ({"state": "stopped"}, "is not finished")],
)
def test_a_scoring_that_cannot_be_studied(fields, why):
    scoring = make_scoring(make_benchmark(), (-2, -3, -1), (-2, -3, -1))
    for name, value in fields.items():
        setattr(scoring, name, value)

    with pytest.raises(StartError, match=why):
        start(scoring, scoring.model.endpoint, "tiny", Design(seed=1))


def test_a_benchmark_without_a_scored_pair():
    scoring = make_scoring(make_benchmark(1), (None, -3, -1))

    with pytest.raises(StartError, match="no pairs with two scores"):
        start(scoring, scoring.model.endpoint, "tiny", Design(seed=1))


def test_a_price_cannot_be_kept_to_that_is_not_known():
    scoring = make_scoring(make_benchmark(1), (-2, -3, -1))

    with pytest.raises(StartError, match="limit tokens instead"):
        start(scoring, scoring.model.endpoint, "tiny", Design(seed=1), limits=Limits(cost_usd=1))
    assert ScoredModel.objects.count() == 1
