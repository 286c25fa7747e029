import pytest

from annotate.corpus.aligning import align

SENTENCES = [
    "Ada Lovelace was born in London in 1815.",
    "She wrote the first program, for a machine of Charles Babbage.",
    "He never built it.",
]


@pytest.mark.parametrize(
    ("claim", "place"),
    [
        # Word for word, but for case and white space.
        ("ada lovelace was  born in london", 0),
        # In two of its four words, which stand in one sentence only: Ada, Lovelace | wrote, program.
        ("Ada Lovelace was born in 1815.", 0),
        # ada, lovelace (one sentence each), first, program (one each): as much in the first as in the second.
        ("Ada Lovelace: first program", 0),
        ("Charles Babbage had a machine.", 1),
        # built of babbage, built: half of it, and half is enough.
        ("Babbage built", 1),
        # never, built, moon, rocket: half; "never" is no stop word here.
        ("A rocket was never built.", 2),
        # moon, rocket: nothing.
        ("The moon rocket.", None),
        ("", None),
        ("Of the and.", None),
    ],
)
def test_a_claim_belongs_to_the_sentence_that_holds_most_of_its_words(claim, place):
    assert align([claim], SENTENCES) == [place]


def test_of_equal_sentences_it_is_the_first_not_before_the_claim_before():
    sentences = ["Paris is large.", "Rome is old.", "Paris is large."]
    assert align(["Paris is large.", "Rome is old.", "Paris is large."], sentences) == [0, 1, 2]
    # Out of order: the last that there is.
    assert align(["Rome is old.", "Paris is large.", "Rome is old."], sentences) == [1, 2, 1]


def test_half_of_the_weight_is_enough_and_less_is_not():
    # Two sentences: a word of one weighs ln 3 = 1.10, of both ln 2 = 0.69, of none ln 3 = 1.10.
    sentences = ["Alpha beta common.", "Gamma common."]
    # alpha 1.10 of alpha + delta 2.20: half.
    assert align(["alpha delta"], sentences) == [0]
    # common 0.69 of common + delta 1.79: 39 %.
    assert align(["common delta"], sentences) == [None]


def test_a_text_without_sentences_has_no_place_for_claims():
    assert align(["A claim."], []) == [None]
