"""Facts with figures that their sentence does not have, dropped as the published code drops them."""

import pytest

from evaluators.fact_generation.writer import without_invented

SENTENCE = "He played from 1990 to 1995 and died in May."
TOLD = ("He played from 1990.", "He played until 1995.", "He died in May.")


@pytest.mark.parametrize("invented", ["He scored 41 goals.", "He died on 3 May.", "He was born in March."])
def test_a_fact_with_a_figure_of_its_own_is_dropped(invented):
    assert without_invented(SENTENCE, (*TOLD, invented)) == TOLD


def test_all_stay_where_the_sentences_figures_would_not_be_covered_without_them():
    # 1995 stands in the dropped fact alone.
    facts = ("He played from 1990.", "He played until 1995 for 41 clubs.", "He died in May.")
    assert without_invented(SENTENCE, facts) == facts


def test_facts_without_figures_stay():
    assert without_invented("She sang.", ("She sang.", "She sang in 1950.")) == ("She sang.",)


def test_a_number_inside_a_word_is_none():
    assert without_invented("She sang.", ("She sang in the 1950s.",)) == ("She sang in the 1950s.",)
