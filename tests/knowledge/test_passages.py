"""Cutting documents."""

import pytest

from knowledge.passages import cut


@pytest.mark.parametrize(
    ("text", "passages"),
    [
        ("", []),
        (" \n ", []),
        ("one", ["one"]),
        ("one two three", ["one two three"]),
        ("one two three four", ["one two three", "four"]),
        (" one\n\n two  three\tfour five six ", ["one\n\n two  three", "four five six"]),
    ],
)
def test_passages_of_three_words(text, passages):
    assert cut(text, 3) == passages
