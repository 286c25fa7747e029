"""The words of a query in a text."""

import pytest

from knowledge.marking import MarkedText, mark


@pytest.mark.parametrize(
    ("text", "words", "marked"),
    [
        ("The Bees dance.", ["bees"], ["Bees"]),
        ("Saturn’s rings", ["saturn"], ["Saturn’s"]),
        ("1,000 bees and 3.14", ["1000", "3.14"], ["1,000", "3.14"]),
        ("In 1889, in June", ["1889"], ["1889"]),
        ("Nothing here", ["bees"], []),
        ("Nothing here", [], []),
        ("", ["bees"], []),
    ],
)
def test_the_words_are_marked_as_they_stand_in_the_text(text, words, marked):
    pieces = mark(text, words)

    assert [piece.text for piece in pieces if piece.match] == marked
    assert "".join(piece.text for piece in pieces) == text


def test_what_stands_between_two_matches_is_a_piece_of_its_own():
    assert mark("bees & bees", ["bees"]) == [
        MarkedText("bees", True),
        MarkedText(" & ", False),
        MarkedText("bees", True),
    ]
