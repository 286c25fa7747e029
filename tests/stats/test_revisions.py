"""Before and after rebuttal, by hand."""

import numpy as np
import pytest

from stats.agreement_rows import compare_revisions, count_moves
from stats.bootstrap import Resampling
from stats.ratings import Clusters, Ratings


def both(before, after, prompts=None):
    """Ratings of Ada and Ben before and after, a response and prompt a unit."""
    response = np.arange(len(before))
    resampling = Resampling(np.zeros(len(before), dtype=np.int64), resamples=400)
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
    # The same change in every prompt: whatever is drawn, the difference is the same.
    binary, _ = both([[0, 1]] * 6, [[1, 1]] * 6)
    assert binary["figures"]["percent"]["interval"] == [1.0, 1.0]
    mixed, _ = both([[0, 0], [0, 1]] * 5, [[0, 0], [1, 1]] * 5)
    low, high = mixed["figures"]["percent"]["interval"]
    assert 0.1 <= low < 0.5 < high <= 0.9


def test_without_a_revision_the_difference_is_nothing_for_sure():
    said = [[0, 0], [0, 1], [1, 1], [1, 0]]
    percent = both(said, said)[0]["figures"]["percent"]
    assert (percent["difference"], percent["interval"]) == (0.0, [0.0, 0.0])


def test_an_undefined_side_leaves_no_difference_and_says_why():
    binary, _ = both([[0, 1], [1, 0]], [[0, 0], [0, 0]])
    kappa = binary["figures"]["kappa"]
    assert (kappa["after"], kappa["difference"], kappa["interval"]) == (None, None, None)
    assert kappa["undefined"] == "both gave one and the same value throughout"


def test_resamples_without_the_figure_are_counted():
    binary, _ = both([[0, 0], [1, 1]], [[0, 0], [1, 1]])
    # α is undefined where both draws are the same prompt, half of the time.
    assert 150 < binary["figures"]["alpha"]["undefined_resamples"] < 250


def test_moves_are_counted():
    before = {(1, None): {"ada": 0, "ben": 1}, (2, None): {"ada": 1, "ben": 1}, (3, None): {"ada": 2}}
    after = {(1, None): {"ada": 1, "ben": 1}, (2, None): {"ada": 0, "ben": 1}, (3, 7): {"ada": 0}}
    # Ada changed two values; her word on the third sentence is gone, and one on its fact is new.
    assert count_moves(before, after) == {"judgements": 5, "changed": 4, "came_together": 1, "parted": 1}
