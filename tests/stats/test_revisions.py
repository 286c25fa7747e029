"""Before and after rebuttal, by hand."""

import numpy as np
import pytest
import scipy

from stats.agreement_rows import compare_revisions, count_moves
from stats.bootstrap import Resampling
from stats.ratings import Clusters, Ratings


def both(before, after, resamples=400):
    """Ratings of Ada and Ben before and after, a response and prompt a unit."""
    response = np.arange(len(before))
    resampling = Resampling(np.zeros(len(before), dtype=np.int64), resamples=resamples)
    ratings = [Ratings(("ada", "ben"), np.array(said), response) for said in (before, after)]
    return compare_revisions(*ratings, Clusters(response, resampling))


def test_figures_stand_beside_each_other_with_their_difference():
    binary, valued = both([[0, 0], [0, 1], [1, 2], [1, 0]], [[0, 0], [1, 1], [1, 2], [1, 0]])
    # As error or not Ada and Ben agree on two of four, then on three; with all values on one, then on two.
    percent = binary["figures"]["percent"]
    assert (percent["before"], percent["after"], percent["difference"]) == (0.5, 0.75, 0.25)
    assert [valued["figures"]["percent"][name] for name in ("before", "after")] == [0.25, 0.5]
    assert binary["n_before"] == binary["n_after"] == 4
    # κ before: po = 1/2, pe = 1/2·1/2 + 1/2·1/2; after: po = 3/4, pe = 3/4·1/2 + 1/4·1/2.
    assert binary["figures"]["kappa"]["before"] == pytest.approx(0)
    assert binary["figures"]["kappa"]["after"] == pytest.approx(0.5)


def test_the_interval_of_the_difference_is_paired():
    """Of 20 prompts 10 come together: the variance of the difference is 0.25 / 19."""
    mixed, _ = both([[0, 0], [0, 1]] * 10, [[0, 0], [1, 1]] * 10)
    low, high = mixed["figures"]["percent"]["interval"]
    # On the scale from −1 to 1 the difference of 0.5 is 0.75, with 0.75 · 0.25 / (0.25 / 19 / 4) = 57 draws.
    size = 57 * (1.959964 / scipy.stats.t.ppf(0.975, 19)) ** 2
    ends = [
        scipy.stats.beta.ppf(0.025, 0.75 * size, 0.25 * size + 1),
        scipy.stats.beta.ppf(0.975, 0.75 * size + 1, 0.25 * size),
    ]
    assert [low, high] == pytest.approx([2 * end - 1 for end in ends], abs=0.03)


@pytest.mark.parametrize(("before", "after"), [([0, 1], [1, 1]), ([0, 1], [0, 1]), ([1, 1], [1, 1])])
def test_a_difference_that_no_draw_changes_has_no_interval(before, after):
    percent = both([before] * 12, [after] * 12)[0]["figures"]["percent"]
    assert percent["difference"] == (after[0] == after[1]) - (before[0] == before[1])
    assert percent["interval"] is None


def test_an_undefined_side_leaves_no_difference_and_says_why():
    binary, _ = both([[0, 1], [1, 0]], [[0, 0], [0, 0]])
    kappa = binary["figures"]["kappa"]
    assert (kappa["after"], kappa["difference"], kappa["interval"]) == (None, None, None)
    assert kappa["undefined"] == "both gave one and the same value throughout"


def test_resamples_without_the_figure_are_counted():
    correct, errors, split = [[0, 0]] * 8, [[1, 1]] * 96, [[0, 1]] * 96
    binary, _ = both(correct + errors + split, correct + errors + errors, resamples=20_000)
    # α is undefined afterwards where none of 199 draws is one of the 8 correct prompts: 0.96¹⁹⁹ · 20,000 = 6 of them.
    assert 0 < binary["figures"]["alpha"]["undefined_resamples"] < 20


@pytest.mark.parametrize(("left", "given"), [(7, False), (8, True)])
def test_a_difference_rests_on_the_side_with_fewer_prompts(left, given):
    """Of twelve prompts with an error seven or eight still have one afterwards."""
    errors = [[1, 1], [0, 1]] * 6
    before, after = [[0, 0]] * 12 + errors, [[0, 0]] * 12 + errors[:left] + [[0, 0]] * (12 - left)
    positive = both(before, after)[0]["figures"]["positive"]
    assert positive["difference"] is not None
    assert (positive["interval"] is not None) == given


def test_moves_are_counted():
    before = {(1, None): {"ada": 0, "ben": 1}, (2, None): {"ada": 1, "ben": 1}, (3, None): {"ada": 2}}
    after = {(1, None): {"ada": 1, "ben": 1}, (2, None): {"ada": 0, "ben": 1}, (3, 7): {"ada": 0}}
    # Ada changed two values; her word on the third sentence is gone, and one on its fact is new.
    assert count_moves(before, after) == {"judgements": 5, "changed": 4, "came_together": 1, "parted": 1}
