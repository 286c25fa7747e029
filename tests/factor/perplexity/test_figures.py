"""Perplexity and bits per character, by hand and by an independent calculation."""

import datetime
import math

import numpy as np
import pytest

from factor.perplexity.dates import Dates, held_against
from stats.perplexity import DocumentSum, figures


def test_tokens_of_all_documents_count_alike():
    # 3 tokens of probability 1/2 and one of 1/16: exp of the mean of 3 log 2 and log 16.
    found = figures([DocumentSum(-3 * math.log(2), 3, 6), DocumentSum(-math.log(16), 1, 1)])

    assert found.perplexity == pytest.approx(2 ** (7 / 4))
    assert found.bits_per_character == pytest.approx(1.0)
    assert (found.documents, found.tokens, found.characters) == (2, 4, 7)


def test_without_a_document_nothing_is_defined():
    found = figures([])

    assert (found.perplexity, found.perplexity_interval, found.bits_per_character) == (None, None, None)


def test_one_document_has_no_interval():
    found = figures([DocumentSum(-2.0, 2, 8)])

    assert found.perplexity == pytest.approx(math.e)
    assert found.perplexity_interval is None


def test_the_interval_is_that_of_documents_drawn_anew():
    random = np.random.default_rng(1)
    counts = random.integers(50, 200, 60)
    totals = -counts * random.normal(3, 0.4, 60)
    found = figures([DocumentSum(total, count, 4 * count) for total, count in zip(totals, counts, strict=True)])

    drawn = random.integers(0, 60, (5000, 60))
    again = np.exp(-totals[drawn].sum(axis=1) / counts[drawn].sum(axis=1))
    assert found.perplexity_interval.ends() == pytest.approx(np.quantile(again, [0.025, 0.975]), rel=0.02)


def test_documents_dated_up_to_the_cutoff_may_be_known_to_the_model():
    cutoff = datetime.date(2021, 10, 1)
    dates = [cutoff, datetime.date(2020, 1, 1), datetime.date(2021, 10, 2), None]

    assert held_against(cutoff, dates) == Dates(before=2, after=1, undated=1)
