"""The simulation of wrong verdicts, small: it finds the errors that the procedures were made against."""

import numpy as np

from bench.coverage.verdicts import accuracies, rate_of, subjects


def test_mcnemar_is_wrong_where_responses_share_prompts_and_the_permutation_is_not():
    rate = rate_of("accuracy", "McNemar", lambda generator: accuracies(generator, 12, 60), 60)

    assert rate.plain > 0.25
    # More than nine of sixty have a probability below 1 % at 5 % each.
    assert rate.adjusted <= 9 / 60


def test_pairs_of_subjects_alone_are_wrong_and_together_they_are_not():
    rate = rate_of("subjects", "alone", lambda generator: subjects(generator, 12, 40), 20)

    assert rate.plain > 0.5
    assert rate.adjusted <= 4 / 20
    assert np.isclose(rate.error, np.sqrt(max(rate.adjusted * (1 - rate.adjusted), 0.01) / 20))
