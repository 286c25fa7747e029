"""Which of a sentence's facts the published code drops, and what it takes for a date or a number."""

import pytest

from evaluators.fact_generation.released_facts import figures_in, is_figure, without_invented

BIRTH = "Ada was born in Rome in 1950."

# sentence, facts, facts that are left
TABLE = [
    # "Ada was born" begins another fact: it is unfinished.
    (BIRTH, ["Ada was born.", "Ada was born in Rome.", "Ada was born in 1950."], [1, 2]),
    # Nothing covers 1950 without the fact that is dropped: all come back, unfinished ones too.
    (BIRTH, ["Ada was born.", "Ada was born in Rome.", "Ada died in 1973."], [0, 1, 2]),
    (BIRTH, ["Ada was born in 1950.", "Ada died in 1973."], [0]),
    (BIRTH, ["Ada was born in 1950.", "Ada was born in 1950."], [0]),
    ("He is a founding member of Zed.", ["He is a founding member.", "He is a founding member of Zed."], [0, 1]),
    ("He is a member of Zed.", ["He is a member.", "He is a member of Zed."], [1]),
    ("He is a member of Zed.", ["He is a member."], [0]),
    # "elected." and "served." need no space before them.
    ("He was re-elected by all.", ["He was re-elected.", "He was re-elected by all."], [1]),
    ("She sang.", ["She sang.", "She sang in 1950."], [0]),
]


@pytest.mark.parametrize(("sentence", "facts", "left"), TABLE)
def test_which_facts_are_dropped(sentence, facts, left):
    assert without_invented(sentence, facts) == tuple(facts[place] for place in left)


def test_a_figure_that_begins_one_of_the_sentence_becomes_it():
    # The second has nothing that 1990 begins, and goes.
    assert without_invented("He won in May 1990.", ["He won in May.", "He won in 1990."]) == ("He won in May 1990.",)
    # Every occurrence of the figure is replaced, whatever it then reads like.
    assert without_invented("He has 12 cats.", ["He has 1 cat.", "He has 12 cats."]) == (
        "He has 12 cat.",
        "He has 12 cats.",
    )


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("He sang in May 1990 and 1995-1998 at 12,000 shows.", ["May 1990", "1995", "1998", "12,000"]),
        ("He is 45% owner of $3 million.", ["45%", "$3"]),
        ("She came 3rd on 4 June 2001.", ["4 June 2001"]),
        ("He won twelve prizes in the 1990s.", []),
    ],
)
def test_figures_are_those_of_entities_then_bare_digits(text, figures):
    assert list(figures_in(text)) == figures


def test_integers_and_months_alone_are_a_figure():
    assert all(map(is_figure, ["May 5, 1990", "12,000", "12.5", "-5", "the 3"]))
    assert not any(map(is_figure, ["3rd", "the 1990s", "Sept 3", "twelve", "", "the"]))
