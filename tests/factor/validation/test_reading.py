"""What a rater reads: the prefix's end, and the words in which two completions differ."""

from factor.validation.outcome import majority
from factor.validation.reading import NEAR, fold, read_for

SENTENCE = "The council of Ulm met again. "


def test_a_short_prefix_is_in_sight_whole():
    assert fold(SENTENCE) == ("", SENTENCE)


def test_a_long_prefix_folds_at_the_start_of_a_sentence():
    far, near = fold(SENTENCE * 100)
    assert far + near == SENTENCE * 100
    assert far.endswith("again. ")
    assert NEAR / 2 < len(near) <= NEAR


def test_text_without_any_border_is_cut_nevertheless():
    assert fold("x" * 1000) == ("x" * 300, "x" * 700)


def test_what_differs_is_marked_in_both():
    reading = read_for("", "He left in 1982.", "She left in 1983.")
    assert [piece.text for piece in reading.true if piece.differs] == ["He", "1982"]
    assert [piece.text for piece in reading.false if piece.differs] == ["She", "1983"]
    assert "".join(piece.text for piece in reading.false) == "She left in 1983."


def test_a_majority_is_more_than_half():
    assert majority([True, True, False]) is True
    assert majority([True, False]) is None
    assert majority([]) is None
