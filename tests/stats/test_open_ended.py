"""Tables 4 and 5 of FACTOR: the paper's own numbers, small ones by hand, and scipy's bootstrap as a witness."""

import numpy as np
import pytest
import scipy

from stats.open_ended import FALSE, NEUTRAL, RIGHT, TRUE, WRONG, JudgedGenerations, shares, table
from tests.stats.exact import exact


def judged(*generations, weights=(1, 1)):
    """Each generation: its group, its document, and what its labelers say."""
    said = [[words.count(word) / len(words) for word in (NEUTRAL, TRUE, FALSE)] for _, _, words in generations]
    group, cluster = ([each[place] for each in generations] for place in (0, 1))
    return JudgedGenerations(
        np.array(group, dtype=np.int64), np.array(cluster, dtype=np.int64), np.array(said).reshape(-1, 3), weights
    )


# Of table 5: N, T and F of both groups in thousandths; the share of right pairs (which the paper does not print) that
# its last row follows from: (0.100 − 0.054) / (0.113 − 0.054) is 0.78, and T/(T+F) makes it 0.787. So for OPT: 0.810.
GPT_J = ([[1000, 624, 113, 263], [1000, 488, 54, 458]], (787, 213))
OPT = ([[1000, 541, 214, 245], [1000, 551, 21, 428]], (810, 190))


@pytest.mark.parametrize(
    ("totals", "weights", "right", "wrong", "everything"),
    [
        (*GPT_J, 0.300, 0.105, (0.595, 0.100, 0.305, 0.248)),
        # The paper prints F as 0.284; its row then adds up to 1.004, and T/(T+F) would not be its 0.388.
        (*OPT, 0.466, 0.046, (0.543, 0.177, 0.280, 0.388)),
    ],
)
def test_the_numbers_of_the_paper(totals, weights, right, wrong, everything):
    figures = shares(np.array(totals, dtype=float), weights)

    # Its shares are rounded to a thousandth, so are the accuracies that follow from them.
    assert figures[0, 3] == pytest.approx(right, abs=0.0011)
    assert figures[1, 3] == pytest.approx(wrong, abs=0.0011)
    assert figures[2] == pytest.approx(everything, abs=0.0006)


def test_the_total_is_no_mean_of_the_two_accuracies():
    # Right: T 0.1, F 0.1, accuracy 0.5. Wrong: T 0, F 0.8, accuracy 0. Three right pairs to one wrong:
    # T = 0.075, F = 0.275, T/(T+F) = 3/14, where the weighted mean of the accuracies would be 0.375.
    totals = np.array([[10, 8, 1, 1], [10, 2, 0, 8]], dtype=float)

    assert shares(totals, (3, 1))[2] == pytest.approx([0.65, 0.075, 0.275, 3 / 14])


def test_small_tables_by_hand():
    found = judged(
        (RIGHT, 0, [TRUE]), (RIGHT, 0, [NEUTRAL]), (RIGHT, 1, [FALSE]), (RIGHT, 1, [TRUE]), (WRONG, 2, [FALSE])
    )

    ((right, wrong, everything),), differences = table([found])

    assert [right.n, wrong.n, everything.n] == [4, 1, 5]
    assert [right.neutral.value, right.true.value, right.false.value] == [0.25, 0.5, 0.25]
    assert right.accuracy.value == pytest.approx(2 / 3)
    assert wrong.accuracy.value == 0
    assert everything.accuracy.value == pytest.approx(0.25 / (0.25 + 0.625))
    assert differences == []


def test_labelers_who_differ_share_the_generation():
    (right, _, _), *_ = table([judged((RIGHT, 0, [TRUE, NEUTRAL]), (RIGHT, 1, [FALSE, FALSE]))])[0]

    assert [right.neutral.value, right.true.value, right.false.value] == [0.25, 0.25, 0.5]


def test_what_is_only_neutral_has_no_accuracy():
    ((right, wrong, everything),), _ = table([judged((RIGHT, 0, [NEUTRAL]), (RIGHT, 1, [NEUTRAL]))])

    assert (right.neutral.value, right.accuracy.value) == (1, None)
    # Nothing was judged of the wrong pairs, which weigh as much as the others.
    assert (wrong.n, wrong.true.value, everything.neutral.value) == (0, None, None)


def test_a_group_that_the_benchmark_does_not_have_weighs_nothing():
    found = judged((RIGHT, 0, [TRUE]), (RIGHT, 1, [FALSE]), weights=(7, 0))

    assert table([found])[0][0][2].accuracy.value == 0.5


def test_nothing_judged_is_nothing_known():
    rows, (difference,) = table([judged(), judged()])

    assert {figure for row in rows[0] for figure in (row.n, row.true.value, row.accuracy.value)} == {0, None}
    assert (difference.difference, difference.interval) == (None, None)


def test_one_document_has_no_interval():
    wrong_ones = [(WRONG, place, [TRUE if place % 2 else FALSE]) for place in range(1, 9)]
    found = judged((RIGHT, 0, [TRUE]), (RIGHT, 0, [FALSE]), *wrong_ones)

    right, wrong, _ = table([found])[0][0]
    assert (right.accuracy.value, right.accuracy.interval) == (0.5, None)
    assert wrong.accuracy.interval is not None


def test_where_all_is_of_a_kind_the_interval_is_the_exact_one():
    ((right, _, _),), _ = table([judged(*[(RIGHT, place // 2, [FALSE]) for place in range(20)])])

    # Ten documents, of which t of 9 degrees of freedom leaves 7.51: up to 1 − 0.025^(1/7.51) = 0.388.
    assert right.accuracy.interval.ends() == pytest.approx([0, 0.388], abs=1e-3)
    assert right.accuracy.interval.ends() == pytest.approx(exact(0, 10, 10))
    assert right.false.interval.ends() == pytest.approx(exact(1, 10, 10))


def test_an_accuracy_rests_on_the_documents_that_have_true_or_false_ones():
    neutral = [(RIGHT, place, [NEUTRAL]) for place in range(1, 9)]
    ((right, _, _),), _ = table([judged((RIGHT, 0, [TRUE]), *neutral)])

    assert (right.accuracy.value, right.accuracy.interval) == (1, None)
    assert right.true.interval is not None


def test_the_interval_of_a_share_is_that_of_scipy():
    said = [TRUE] * 30 + [FALSE] * 70
    found = judged(*[(RIGHT, place, [word]) for place, word in enumerate(said)])

    interval = table([found])[0][0][0].true.interval

    witness = scipy.stats.binomtest(30, 100).proportion_ci(0.95, method="exact")
    assert interval.ends() == pytest.approx([witness.low, witness.high], abs=0.015)
    assert interval.ends() == pytest.approx(exact(0.3, 99, 100), abs=0.006)


def test_generations_of_one_document_stand_together():
    alone = judged(*[(RIGHT, place, [TRUE if place % 2 else FALSE]) for place in range(240)])
    together = judged(*[(RIGHT, place // 3, [TRUE if (place // 3) % 2 else FALSE]) for place in range(240)])

    narrow, wide = (table([each])[0][0][0].accuracy.interval for each in (alone, together))
    # A third of the documents: wider by the root of three.
    assert (wide.high - wide.low) / (narrow.high - narrow.low) == pytest.approx(3**0.5, abs=0.15)


def test_the_rows_of_a_model_do_not_depend_on_what_stands_beside_it():
    words = [TRUE, FALSE, NEUTRAL, FALSE, TRUE, TRUE]
    one = judged(*[(place % 2, place + 3, [word]) for place, word in enumerate(words)])
    other = judged(*[(RIGHT, place, [word]) for place, word in enumerate(words)])

    (alone,), _ = table([one])
    (_, beside), _ = table([other, one])
    assert beside == alone


def test_a_difference_that_no_draw_changes_has_no_interval():
    # Three documents each: 1 − 0 however they are drawn.
    one, other = (judged(*[(RIGHT, place, [word]) for place in range(3)], weights=(1, 0)) for word in (TRUE, FALSE))

    _, (difference,) = table([one, other])
    assert (difference.difference, difference.interval) == (1, None)


def test_in_a_share_that_no_draw_changes_each_document_is_one_draw():
    # Each document has a true and a false text, so half are true in every draw of the nine.
    ((right, _, _),), _ = table([judged(*[(RIGHT, place // 2, [(TRUE, FALSE)[place % 2]]) for place in range(18)])])

    for share in (right.true, right.accuracy):
        assert (share.value, share.interval.ends()) == (0.5, pytest.approx(exact(0.5, 9, 9)))
    assert right.neutral.interval.ends() == pytest.approx(exact(0, 9, 9))


def test_two_groups_all_one_way_leave_room_together():
    # All right ones true, all wrong ones false: T is 2/3 in every draw of the sixteen documents.
    found = judged(*[(place % 2, place, [(TRUE, FALSE)[place % 2]]) for place in range(16)], weights=(2, 1))

    _, _, everything = table([found])[0][0]
    assert everything.accuracy.value == pytest.approx(2 / 3)
    assert everything.accuracy.interval.ends() == pytest.approx(exact(2 / 3, 16, 16))


def test_a_benchmark_of_which_no_pair_counts_has_no_total():
    ((right, _, everything),), _ = table([judged((RIGHT, 0, [TRUE]), (RIGHT, 1, [FALSE]), weights=(0, 0))])

    assert (right.accuracy.value, everything.true.value, everything.accuracy.value) == (0.5, None, None)


def test_two_models_on_the_same_documents_are_drawn_together():
    said = [TRUE] * 20 + [FALSE] * 20
    one = judged(*[(RIGHT, place, [word]) for place, word in enumerate(said)], weights=(1, 0))

    _, (same,) = table([one, one])
    # No draw tells a model from itself.
    assert (same.difference, same.interval) == (0, None)

    worse = judged(*[(RIGHT, place, [word if place else FALSE]) for place, word in enumerate(said)], weights=(1, 0))
    _, (difference,) = table([one, worse])
    assert difference.difference == pytest.approx(1 / 40)
    # On the scale from −1 to 1 the difference is 0.5125, its variance a quarter of (1/40) (39/40) / 39.
    ends = exact(0.5125, 0.5125 * 0.4875 / (1 / 40 / 40 / 4), 40)
    assert difference.interval.ends() == pytest.approx([2 * end - 1 for end in ends], abs=0.004)
